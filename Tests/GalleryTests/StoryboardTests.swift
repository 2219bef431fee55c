import Foundation
import GalleryApp
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@MainActor
@Suite("The gallery, drawn", .serialized)
struct StoryboardTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("gallery-\(UUID().uuidString)", isDirectory: true)

  private func run(_ change: (inout GalleryOptions) -> Void) async throws -> Storyboard.Report {
    var options = GalleryOptions()
    options.output = folder
    change(&options)
    let storyboard = try Storyboard(options, scale: 1, announce: { _ in })
    // A debug build on a busy machine decodes twelve megapixels slowly.
    storyboard.patience = 240
    return try await storyboard.run()
  }

  private func picture(_ name: String) throws -> Bitmap {
    try ImageDecoder().decode(Data(contentsOf: folder.appendingPathComponent("\(name)@1x.png"))).bitmap
  }

  @Test("every moment is drawn with the pictures it should show, and the faults are failures with a retry")
  func wholeStory() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await run { $0.rows = 14 }
    #expect(report.missing == [])
    #expect(
      report.files.map(\.lastPathComponent) == [
        "placeholders@1x.png", "mid-fade@1x.png", "loaded@1x.png", "error@1x.png", "after-retry@1x.png",
        "scrolled@1x.png", "dark@1x.png", "second-tab@1x.png",
      ])
    // The rows of the first topic, the retry included, and at least the visible ones of the second.
    #expect(report.counters.networkLoads >= 14)
    // 503 once, 404, and half a file.
    #expect(report.counters.failures >= 3)
    // The photo's own corner of the first row is dark green; its placeholder is light grey.
    let placeholder = try picture("placeholders")[60, 100]
    let photo = try picture("loaded")[60, 100]
    let fading = try picture("mid-fade")[60, 100]
    #expect(placeholder.red > 200 && photo.red < 100)
    #expect(fading.red > photo.red && fading.red < placeholder.red)
    // Dark mode: the page around the rows is black.
    #expect(try picture("dark")[4, 300] == (0, 0, 0, 255))
  }

  @Test("a list that cannot be had is said and drawn, and nothing spins for ever")
  func listFails() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try ScriptedServer { _ in .status(500) }
    defer { server.stop() }
    let report = try await run { $0.api = server.url("/api") }
    #expect(report.files.map(\.lastPathComponent) == ["list-failed@1x.png"])
    #expect(report.missing == ["The list of Nature could not be loaded: The server answered with status 500."])
  }

  @Test(
    "a server's own lists may hold addresses or objects",
    arguments: [
      "[\"%@\"]", "[{\"url\": \"%@\", \"title\": \"One\", \"extra\": 1}]",
    ])
  func foreignServer(format: String) async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let photo = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples/Gallery/App/Photos/coffee.jpg").standardizedFileURL
    let server = try ScriptedServer { request in
      guard request.path.hasPrefix("/api/") else { return .file(photo) }
      let address = "http://\(request.headers["Host"] ?? "")/coffee.jpg"
      return .data(Data(format.replacingOccurrences(of: "%@", with: address).utf8), type: "application/json")
    }
    defer { server.stop() }
    let report = try await run { $0.api = server.url("/api") }
    #expect(report.missing == [])
    #expect(report.files.count == 6)
  }
}
