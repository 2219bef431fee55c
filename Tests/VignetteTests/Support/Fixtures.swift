import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import VignetteTesting

@testable import Vignette

/// A pipeline over a scripted loader and decoder, and the picture at `address`.
struct Scripted: Sendable {
  static let address = "http://pictures.test/one"

  let loader = ScriptedLoader()
  let decoder = ScriptedDecoder()
  let clock = Locked(Date(timeIntervalSince1970: 1_000_000))
  let pipeline: ImagePipeline

  init(
    memoryBudget: Int = 128 << 20, concurrentDecodes: Int = 2,
    _ configure: (inout ImagePipeline.Configuration) -> Void = { _ in }
  ) {
    let clock = clock
    var configuration = ImagePipeline.Configuration(loader: loader.dataLoader)
    configuration.decoder = decoder.decoder
    configuration.memoryBudget = memoryBudget
    configuration.concurrentDecodes = concurrentDecodes
    configuration.clock = .manual { clock.withLock { $0 } }
    configuration.memoryPressure = .none
    configure(&configuration)
    pipeline = ImagePipeline(configuration: configuration)
    loader.reply(to: Self.address, .data(ScriptedDecoder.picture(40, 30)))
  }

  func advance(_ seconds: Double) { clock.withLock { $0 += seconds } }

  var now: Date { clock.withLock { $0 } }
}

extension PipelineClock {
  /// A clock that stands still: a wait takes no time at all and always half of what it might.
  static func manual(now: @escaping @Sendable () -> Date) -> PipelineClock {
    PipelineClock(
      now: now, uptime: { now().timeIntervalSince1970 }, sleep: { _ in try Task.checkCancellation() },
      random: { 0.5 })
  }
}

extension ImageRequest {
  /// A request for a scripted address. The addresses in these tests are valid.
  init(_ address: String, target: DecodeTarget = .full) {
    self.init(url: URL(string: address) ?? URL(fileURLWithPath: address), target: target)
  }
}

extension DecodeTarget {
  static func box(_ width: Int, _ height: Int, _ mode: ScalingMode = .fit) -> DecodeTarget {
    .box(PixelSize(width: width, height: height), mode)
  }
}

extension ImageMemoryCache.Entry {
  /// An empty picture of a size, decoded from a source of another.
  static func blank(_ width: Int, _ height: Int, of source: PixelSize? = nil, contents: String? = nil) -> Self {
    let size = PixelSize(width: width, height: height)
    let info = ImageInfo(format: .png, storedSize: source ?? size)
    return Self(
      image: DecodedImage(bitmap: Bitmap(size: size) { _ in }, info: info),
      contents: contents.map { ContentID(hashing: Data($0.utf8)) })
  }
}

/// The dotted code a load fails with; `nil` when it succeeds, "cancelled" for a cancellation.
func failureCode(_ pipeline: ImagePipeline, _ request: ImageRequest) async -> String? {
  do {
    _ = try await pipeline.image(for: request)
    return nil
  } catch let error as ImageLoadingError {
    return error.code.rawValue
  } catch is CancellationError {
    return "cancelled"
  } catch {
    return "untyped: \(error)"
  }
}
