import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Synchronized
import Testing
import VignetteTesting

@testable import Vignette

/// Over HTTP on the loopback interface: the platform's transport, the HTTP cache in memory and on disk, and real
/// pictures.
///
/// It owns its transport, loader, folder and server, so that what they leave open can be told from what anything else
/// in the process has open.
final class HTTPSoakWorld: SoakWorld {
  private struct Held {
    var isFlowing = true
    var gates: [Gate] = []

    mutating func gate(for fault: SoakFault) -> Gate? {
      guard case .held = fault, !isFlowing else { return nil }
      let gate = Gate()
      gates.append(gate)
      return gate
    }
  }

  private let server: ScriptedServer
  private let http: Locked<HTTPLoader?>
  private let folder = TemporaryFolder()
  private let held: Locked<Held>
  private let pictures: [Data]

  init(clock: ManualClock, seed: UInt64) throws {
    let pictures = try (0..<SoakPicture.count).map(Self.picture)
    let held = Locked(Held())
    server = try ScriptedServer { request in
      guard let picture = Int(request.path.dropFirst()), pictures.indices.contains(picture) else { return .status(400) }
      let fault = SoakFault.pick(seed: seed, picture: picture, number: request.number)
      return Self.response(pictures[picture], fault, gate: held.withLock { $0.gate(for: fault) })
    }
    self.pictures = pictures
    self.held = held
    var configuration = HTTPLoader.Configuration()
    configuration.clock = clock.wall
    configuration.memoryBudget = 64 << 10
    var disk = DiskStore.Configuration(directory: folder.url)
    disk.budgetBytes = 512 << 10
    configuration.disk = disk
    http = Locked(HTTPLoader(transport: Self.transport(), configuration: configuration))
  }

  deinit { server.stop() }

  var loader: DataLoader { http.withLock { $0 }.map { .http($0) } ?? DataLoader { _ in throw CancellationError() } }
  var decoder: ImagePipeline.Decoder? { nil }

  func url(_ picture: Int, width: Int?) -> URL { server.url("/\(picture)" + (width.map { "?w=\($0)" } ?? "")) }

  func bytes(_ picture: Int) -> Data { pictures[picture] }

  func flow(_ isFlowing: Bool) {
    let gates = held.withLock { held in
      held.isFlowing = isFlowing
      defer { held.gates = [] }
      return held.gates
    }
    for gate in gates { gate.open() }
  }

  func forgetAll() { http.withLock { $0 }?.removeAll() }

  func close() async throws {
    http.withLock { $0 = nil }
    try await server.until { $0.openConnections == 0 }
    await eventually { [folder] in Self.openFiles(in: folder.url).isEmpty }
  }

  // MARK: Answers

  private static func response(_ picture: Data, _ fault: SoakFault, gate: Gate?) -> ScriptedServer.Response {
    let whole = ScriptedServer.Response.data(picture, type: "image/png").etag("\"1\"")
    let fresh = whole.cacheControl("max-age=60")
    switch fault {
    case .none: return fresh
    case .held: return gate.map { fresh.held(by: $0) } ?? fresh
    case .serverError: return .status(500)
    case .missing: return .status(404)
    case .reset: return .resetInHeaders
    case .cut: return fresh.cut(after: picture.count / 2, .close)
    case .notHTTP: return .garbage
    case .notAnImage: return .text("no picture")
    case .noStore: return whole.cacheControl("no-store")
    case .alwaysStale: return whole.cacheControl("no-cache")
    }
  }

  /// One colour whose bytes are the picture's mark; noise after the first where it is to be large.
  private static func picture(_ picture: Int) throws -> Data {
    let mark = SoakPicture.mark(picture)
    var random = SeededRandom(seed: UInt64(picture))
    let isNoisy = SoakPicture.noisy.contains(picture)
    let bitmap = Bitmap(size: SoakPicture.size(picture), isOpaque: true) { bytes in
      for at in stride(from: 0, to: bytes.count, by: 4) {
        bytes[at] = isNoisy && at > 0 ? UInt8.random(in: 0...255, using: &random) : mark
        bytes[at + 1] = isNoisy ? UInt8.random(in: 0...255, using: &random) : mark
        bytes[at + 2] = isNoisy ? UInt8.random(in: 0...255, using: &random) : mark
        bytes[at + 3] = 255
      }
    }
    return try ImageEncoder.png(bitmap)
  }

  private static func transport() -> any HTTPTransport {
    #if canImport(Darwin)
      StreamingSessionTransport()
    #else
      CurlTransport()
    #endif
  }

  /// Paths below `folder` that this process has open; none where the system does not list them.
  private static func openFiles(in folder: URL) -> [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(folder.path) }
  }
}
