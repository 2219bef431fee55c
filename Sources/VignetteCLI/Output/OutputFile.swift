import Foundation
import ImageCodecs
import Pixels

/// The file formats that can be written, by ending.
enum OutputFormat {
  case png, jpeg, webp

  init?(ending: String) {
    switch ending {
    case "png": self = .png
    case "jpg", "jpeg": self = .jpeg
    case "webp": self = .webp
    default: return nil
    }
  }

  /// - Parameter quality: 1...100, of no meaning to a PNG.
  func encode(_ bitmap: Bitmap, quality: Int) throws -> Data {
    switch self {
    case .png: try ImageEncoder.png(bitmap)
    case .jpeg: try ImageEncoder.jpeg(bitmap, quality: quality)
    case .webp: try ImageEncoder.webp(bitmap, .lossy(quality: quality))
    }
  }
}

/// A file that was written.
struct OutputFile: Sendable {
  static let defaultQuality = 90

  let path: String
  let bytes: Int

  /// Encodes by the ending of `url` and writes in one step: the file is there whole or not at all. Blocking.
  /// - Throws: `OutputError`.
  static func write(_ bitmap: Bitmap, to url: URL, quality: Int = defaultQuality) throws -> OutputFile {
    do {
      let format = OutputFormat(ending: url.pathExtension.lowercased()) ?? .png
      let data = try format.encode(bitmap, quality: quality)
      try data.write(to: url, options: .atomic)
      return OutputFile(path: url.path, bytes: data.count)
    } catch let error as CodecError {
      throw OutputError(message: "The picture cannot be encoded for \(url.path): \(error.message)")
    } catch {
      throw OutputError(message: "\(url.path) cannot be written: \(reason(error))")
    }
  }

  /// - Throws: `OutputError`.
  static func makeDirectory(_ url: URL) throws {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw OutputError(message: "The directory \(url.path) cannot be made: \(reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    let posix = (error as NSError).userInfo[NSUnderlyingErrorKey] as? POSIXError
    guard let code = posix?.code.rawValue else { return "check the path, its permissions and the space left." }
    return String(cString: strerror(code)) + "."
  }
}
