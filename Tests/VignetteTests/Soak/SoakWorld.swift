import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import VignetteTesting

@testable import Vignette

/// Where the pictures of a soak come from: the same few pictures and the same faults, over a scripted loader or over
/// HTTP.
///
/// Every picture has a size and a first byte of its own, so that an answer with another's pixels, or with half of its
/// own, is recognised. What goes wrong, and when, follows from the seed, the picture and the number of its request.
protocol SoakWorld: Sendable {
  var loader: DataLoader { get }
  /// `nil` for that of `ImageCodecs`.
  var decoder: ImagePipeline.Decoder? { get }
  func url(_ picture: Int, width: Int?) -> URL
  /// The bytes of a picture, for sources without an address.
  func bytes(_ picture: Int) -> Data
  /// `true`: whatever is held goes on, and nothing is held until the next change.
  func flow(_ isFlowing: Bool)
  /// Drops what is stored below the pipeline.
  func forgetAll()
  /// Returns when nothing that was opened for the loads is open any more. The pipeline is gone by then.
  func close() async throws
}

/// What a request for a picture meets with.
enum SoakFault: CaseIterable {
  case none, held, serverError, missing, reset, cut, notHTTP, notAnImage, noStore, alwaysStale

  /// Half of the requests meet with nothing.
  static func pick(seed: UInt64, picture: Int, number: Int) -> SoakFault {
    var random = SeededRandom(seed: seed ^ UInt64(picture) << 40 ^ UInt64(number))
    if Bool.random(using: &random) { return .none }
    return allCases[Int.random(in: 0..<allCases.count, using: &random)]
  }

  /// What a request fails with at the end, if with nothing else.
  static let codes: Set<String> = [
    "http.500", "http.404", "transport.reset", "transport.protocol", "transport.timedOut", "body.truncated",
    "image.notAnImage", "cache.miss", "process.failed", "source.failed",
  ]
}

enum SoakPicture {
  static let count = 24
  /// These are large and noisy enough to be worth a thumbnail over HTTP.
  static let noisy = 0..<8

  static func size(_ picture: Int) -> PixelSize {
    noisy.contains(picture)
      ? PixelSize(width: 130 + picture, height: 100) : PixelSize(width: 40 + picture, height: 30 + picture / 2)
  }

  /// The first byte of every decode of it.
  static func mark(_ picture: Int) -> UInt8 { UInt8(ascii: "a") + UInt8(picture) }

  /// Sizes in which pictures are asked for.
  static let boxes = [(0, 5), (1, 1), (8, 8), (30, 10), (64, 64), (128, 96), (5_000, 5_000)]

  /// Stands in for it when it fails.
  static func alternative(to picture: Int) -> Int { (picture + 1) % count }
}

/// Over a scripted loader and decoder: no sockets and no pixels to speak of, so that much happens in little time.
final class ScriptedSoakWorld: SoakWorld {
  private let scripted = ScriptedLoader()
  private let texts = ScriptedDecoder()
  private let requests = Locked([Int](repeating: 0, count: SoakPicture.count))
  private let clock: ManualClock
  private let seed: UInt64

  init(clock: ManualClock, seed: UInt64) {
    self.clock = clock
    self.seed = seed
    for picture in 0..<SoakPicture.count {
      for width in [nil] + (1...80).map({ $0 * 64 }) {
        scripted.reply(to: url(picture, width: width).absoluteString) { [unowned self] _ in reply(picture) }
      }
    }
  }

  var loader: DataLoader { scripted.dataLoader }
  var decoder: ImagePipeline.Decoder? { texts.decoder }

  func url(_ picture: Int, width: Int?) -> URL {
    let query = width.map { "?w=\($0)" } ?? ""
    return URL(string: "http://pictures.test/\(picture)\(query)") ?? URL(fileURLWithPath: "/")
  }

  func bytes(_ picture: Int) -> Data {
    let size = SoakPicture.size(picture)
    return ScriptedDecoder.picture(
      size.width, size.height, String(UnicodeScalar(SoakPicture.mark(picture))))
  }

  func flow(_ isFlowing: Bool) { isFlowing ? scripted.gate.open() : scripted.gate.close() }

  func forgetAll() {}

  func close() async throws {}

  private func reply(_ picture: Int) -> ScriptedLoader.Reply {
    let number = requests.withLock { requests in
      requests[picture] += 1
      return requests[picture]
    }
    var reply = ScriptedLoader.Reply.data(bytes(picture))
    reply.freshUntil = clock.now.addingTimeInterval(60)
    switch SoakFault.pick(seed: seed, picture: picture, number: number) {
    case .none, .held: return reply
    case .serverError: return .status(500)
    case .missing: return .status(404)
    case .reset: return .failure(HTTPError(.reset, "The connection was reset."))
    case .cut: return .failure(HTTPError(.truncatedBody, "The body was cut short."))
    case .notHTTP: return .failure(HTTPError(.protocolError, "That is not HTTP."))
    case .notAnImage: return .text("no picture")
    case .noStore:
      reply.mayBeStored = false
      return reply
    case .alwaysStale:
      reply.freshUntil = clock.now
      return reply
    }
  }
}
