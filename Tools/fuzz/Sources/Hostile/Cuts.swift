import Checks
import Foundation
import ImageCodecs

/// Every file cut at every length below a thousand bytes and at 64 beyond: strictly an error or the whole picture, never
/// a part that passes for it.
struct Cuts {
  private let record: Record
  private let checks = Checks(limits: Checks.small)

  init(_ record: Record) { self.record = record }

  static func lengths(of data: Data) -> [Int] {
    let end = min(1_000, data.count)
    return Array(0..<end) + (1...64).map { end + (data.count - end) * $0 / 65 }.filter { $0 >= end && $0 < data.count }
  }

  func stills(_ files: [Fixtures.File]) {
    for file in files {
      let format = try? ImageDecoder().probe(file.data)?.format
      for length in Self.lengths(of: file.data) {
        record.measure("\(file.name) cut to \(length) bytes") {
          let isWhole = checks.cutStill(file.data.prefix(length), of: file.data)
          guard isWhole else { return }
          require(mayBeWhole(file, length, format), "a file that is cut passes for a whole one")
        }
      }
    }
  }

  /// A JPEG may lack its end marker; a GIF may end behind any frame, a BMP before the padding of its last row, and a TIFF
  /// behind its first picture.
  private func mayBeWhole(_ file: Fixtures.File, _ length: Int, _ format: ImageFormat?) -> Bool {
    if let wholeAt = file.wholeAt { return wholeAt.contains(length) }
    switch format {
    case .jpeg: return file.data.count - length <= 2
    case .gif, .bmp, .tiff: return true
    default: return false
    }
  }

  func animations(_ files: [Fixtures.File]) {
    for file in files {
      let whole = checks.frames(of: file.data)
      for length in Self.lengths(of: file.data) {
        record.measure("\(file.name) cut to \(length) bytes") {
          let frames = checks.frames(of: file.data.prefix(length))
          require(whole.starts(with: frames), "another frame than of the whole file")
        }
      }
    }
  }
}
