import Foundation
import VignetteTesting

/// The gallery's own server: the JSON API and the shipped photos on a loopback port, with a few photos that come
/// slowly, fail once, are missing or are damaged.
public struct EmbeddedServer: Sendable {
  private let server: ScriptedServer
  /// Pictures are held back until it opens; lists are not. For drawing placeholders.
  let photoGate: Gate

  /// - Throws: the system's error where no port can be had.
  public init() throws {
    let gate = Gate()
    photoGate = gate
    server = try ScriptedServer { request in Self.answer(request, gate: gate) }
  }

  /// Pictures are sent from now on.
  public func openPhotos() { photoGate.open() }

  public var apiURL: URL { server.url("/api") }

  public func stop() { server.stop() }

  private static func answer(
    _ request: ScriptedServer.Request, gate: Gate
  ) -> ScriptedServer.Response {
    if let topic = Topic(rawValue: String(request.path.dropFirst("/api/".count))), request.path.hasPrefix("/api/") {
      return list(topic, of: request)
    }
    guard let (topic, row) = photo(request.path) else { return .status(404) }
    let entry = Catalogue.rows(topic, count: row + 1)[row]
    return answer(entry, attempt: request.number).cacheControl("max-age=3600").held(by: gate)
  }

  /// The rows of a topic as JSON. Every row has an address of its own, so that every picture is a load of its own.
  private static func list(_ topic: Topic, of request: ScriptedServer.Request) -> ScriptedServer.Response {
    let count = min(max(0, Int(request.query["count"] ?? "") ?? 25), 10_000)
    let host = request.headers["Host"] ?? "127.0.0.1"
    let rows = Catalogue.rows(topic, count: count).enumerated().map { row, entry in
      [
        "id": "\(topic.rawValue)-\(row)",
        "title": entry.title,
        "credit": entry.credit,
        "url": "http://\(host)/photos/\(topic.rawValue)/\(row)/\(entry.file)",
      ]
    }
    return .json(rows).cacheControl("no-store")
  }

  /// Topic and row of `/photos/TOPIC/ROW/FILE`.
  private static func photo(_ path: String) -> (Topic, Int)? {
    let parts = path.split(separator: "/")
    guard parts.count == 4, parts[0] == "photos", let topic = Topic(rawValue: String(parts[1])),
      let row = Int(parts[2]), (0..<10_000).contains(row)
    else { return nil }
    return (topic, row)
  }

  private static func answer(_ entry: Catalogue.Entry, attempt: Int) -> ScriptedServer.Response {
    let file = Bundle.module.bundleURL.appendingPathComponent("Photos/\(entry.file)")
    switch entry.behaviour {
    case .good: return .file(file)
    case .slow: return .file(file).paced(bytes: 4 << 10, every: 0.05)
    case .missing: return .status(404)
    case .flaky: return attempt == 1 ? .status(503) : .file(file)
    case .broken:
      guard let data = try? Data(contentsOf: file) else { return .status(404) }
      return .data(data.prefix(data.count / 2), type: "image/jpeg")
    }
  }
}
