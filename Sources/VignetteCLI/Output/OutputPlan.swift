import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A picture that could not be written.
struct OutputError: Error {
  var code = "output.unwritable"
  var message: String
}

/// Where each picture goes, decided before anything loads.
///
/// Invariants: no two sources have the same destination; names derived from sources are single path components without
/// control characters, so they stay within the directory; a derived name never is that of one of the sources' files.
struct OutputPlan {
  /// By index of the source; empty where nothing is written.
  let destinations: [URL]
  /// To be made where it is missing.
  let directory: URL?

  static let none = OutputPlan()

  /// - Throws: `UsageError` where the path cannot serve the sources.
  init(output: String, sources: [String]) throws {
    let namesDirectory = Self.isDirectory(output)
    let ending = Self.ending(output)
    if !namesDirectory, OutputFormat(ending: ending) != nil {
      guard sources.count == 1 else {
        throw UsageError("--output FILE takes one SOURCE; give a directory for \(sources.count) of them.")
      }
      guard !Self.isSameFile(output, sources[0]) else {
        throw UsageError("--output: \(printable(output)) is the SOURCE itself; write to another file.")
      }
      destinations = [URL(fileURLWithPath: output)]
      directory = nil
      return
    }
    guard namesDirectory || ending.isEmpty else { throw Self.unknown(ending) }
    let directory = URL(fileURLWithPath: output, isDirectory: true)
    destinations = Self.names(for: sources, in: directory)
    self.directory = directory
  }

  private init() {
    destinations = []
    directory = nil
  }

  /// How a file of this name is written.
  /// - Throws: `UsageError` for a directory, or an ending that tells no format.
  static func format(ofFile output: String) throws -> OutputFormat {
    guard !isDirectory(output) else { throw UsageError("--output: \(printable(output)) is a directory; name a file.") }
    let ending = ending(output)
    guard let format = OutputFormat(ending: ending) else { throw unknown(ending) }
    return format
  }

  private static func ending(_ output: String) -> String { (output as NSString).pathExtension.lowercased() }

  private static func unknown(_ ending: String) -> UsageError {
    let found = ending.isEmpty ? "" : ", not .\(printable(ending))"
    return UsageError(
      "--output: a file must end in .png, .jpg, .jpeg or .webp\(found); a directory is written with a / at its end.")
  }

  /// Whether it is one, or is written as one.
  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return path.hasSuffix("/")
      || FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  /// Compared by what the file system says of both, so that no link and no other spelling hides it.
  private static func isSameFile(_ path: String, _ source: String) -> Bool {
    guard let url = try? SourceArgument.url(source), url.isFileURL, let file = FileIdentity(path) else { return false }
    return file == FileIdentity(url.path)
  }

  private static func names(for sources: [String], in directory: URL) -> [URL] {
    // Compared without case: many file systems do not tell "A.png" from "a.png".
    var taken = Set(sources.compactMap { sourceName($0, within: directory)?.lowercased() })
    var attempts: [String: Int] = [:]
    return sources.map { source in
      let stem = stem(of: source)
      var number = attempts[stem.lowercased(), default: 1]
      var name = "\(stem).png"
      while !taken.insert(name.lowercased()).inserted {
        number += 1
        name = "\(stem)-\(number).png"
      }
      attempts[stem.lowercased()] = number
      return directory.appendingPathComponent(name)
    }
  }

  /// The name of a source's own file when it lies in the output directory.
  private static func sourceName(_ source: String, within directory: URL) -> String? {
    guard let url = try? SourceArgument.url(source), url.isFileURL else { return nil }
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
    return folder == directory.resolvingSymlinksInPath().path ? url.lastPathComponent : nil
  }

  /// A file name's beginning from the last part of a source's path.
  static func stem(of source: String) -> String {
    let url = try? SourceArgument.url(source)
    let isNamed = url?.scheme?.lowercased() != "data"
    let last = isNamed ? (url?.lastPathComponent ?? "") : ""
    let base = (last as NSString).deletingPathExtension
    let allowed = base.unicodeScalars.prefix(80).map { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_. ".unicodeScalars.contains(scalar)
        ? Character(scalar) : "_"
    }
    let name = String(String(allowed).drop { $0 == "." || $0 == " " || $0 == "-" })
    return name.isEmpty ? "picture" : name
  }
}

/// Which file a path leads to, links followed; `nil` where there is none.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let inode: UInt64

  init?(_ path: String) {
    var status = stat()
    guard lstat(URL(fileURLWithPath: path).resolvingSymlinksInPath().path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }
}
