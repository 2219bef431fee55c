import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Testing

@Suite("Cancelling a decode")
struct CancellationTests {
  private static let files = {
    var files = [
      "rgb8.png", "rgb8-interlaced.png", "420.jpg", "progressive.jpg", "lossy.webp", "lossless-alpha.webp",
      "orientation6.jpg", "plain.gif", "interlaced.gif", "rgb24.bmp", "rle8.bmp", "mask24.ico",
    ]
    #if HEIC
      files += ["heic-grid-alpha.heic"]
    #endif
    #if JXL
      files += ["jxl-rgb.jxl", "jxl-groups.jxl", "jxl-noise.jxl"]
    #endif
    return files
  }()
  private static let targets: [DecodeTarget] = [.full, .box(PixelSize(width: 9, height: 9), .fit)]

  @Test("one that is cancelled from the start throws CancellationError", arguments: files, targets)
  func fromTheStart(file: String, target: DecodeTarget) throws {
    let data = try Files.fixture(file)
    #expect(throws: CancellationError.self) {
      try ImageDecoder().decode(data, target: target, isCancelled: { true })
    }
  }

  @Test("it is asked about between rows and ends at the first yes", arguments: files)
  func betweenRows(file: String) throws {
    let data = try Files.fixture(file)
    let questions = Locked(0)
    _ = try ImageDecoder().decode(data) {
      questions.withLock { $0 += 1 }
      return false
    }
    let total = questions.withLock { $0 }
    #expect(total >= 1)
    for last in 1...total {
      let asked = Locked(0)
      #expect(throws: CancellationError.self) {
        try ImageDecoder().decode(data) {
          asked.withLock {
            $0 += 1; return $0 >= last
          }
        }
      }
      #expect(asked.withLock { $0 } == last)
    }
  }
}
