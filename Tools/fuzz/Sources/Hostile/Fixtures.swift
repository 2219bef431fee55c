import Foundation
import ImageCodecs

/// The pictures of the tests.
struct Fixtures {
  struct File {
    var name: String
    var data: Data
    /// The lengths at which it can be cut and still be whole; `nil` where they are not known.
    var wholeAt: Set<Int>?
  }

  let folder: URL

  func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

  /// All of a format but the bombs, the smallest first.
  func files(_ format: ImageFormat) throws -> [File] {
    let suffix = format == .jpeg ? "jpg" : format.rawValue
    let known = try wholeLengths()
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".\(suffix)") && !$0.hasPrefix("bomb-") }
      .sorted()
      .map { File(name: $0, data: try read($0), wholeAt: known[$0]) }
      .sorted { $0.data.count < $1.data.count }
  }

  func animations(_ format: ImageFormat) throws -> [File] {
    try files(format).filter { $0.name.contains("animated") }
  }

  private func wholeLengths() throws -> [String: Set<Int>] {
    struct Entry: Decodable {
      var file: String
      var wholeAt: [Int]
    }
    let entries = try JSONDecoder().decode([Entry].self, from: read("manifest.json"))
    return Dictionary(entries.map { ($0.file, Set($0.wholeAt)) }) { $0.union($1) }
  }
}
