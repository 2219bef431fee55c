import Foundation
import VignetteTesting

/// The lists and pictures of the tour, on a loopback port: the gallery's photos, under as many addresses as are asked
/// for.
struct PhotoServer {
  private let server: ScriptedServer

  init() throws {
    server = try ScriptedServer { request in
      guard request.path.hasPrefix("/api/") else { return Self.photo(request.path) }
      let names = ["chelsea.jpg", "coffee.jpg", "rocket.jpg"]
      let host = request.headers["Host"] ?? ""
      let kind = request.path.dropFirst("/api/".count)
      return .json((0..<25).map { "http://\(host)/\(kind)/\($0)/\(names[$0 % names.count])" })
    }
  }

  var api: URL { server.url("/api") }
  func url(_ path: String) -> URL { server.url(path) }
  func hasSent(_ paths: [String]) -> Bool { paths.allSatisfy { server.log.count(of: $0) > 0 } }
  func stop() { server.stop() }

  private static func photo(_ path: String) -> ScriptedServer.Response {
    let name = (path as NSString).lastPathComponent
    let examples = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4)
    let file = examples.joined(separator: "/").dropFirst() + "/Gallery/App/Photos/\(name)"
    return .file(URL(fileURLWithPath: String(file))).cacheControl("max-age=3600")
  }
}
