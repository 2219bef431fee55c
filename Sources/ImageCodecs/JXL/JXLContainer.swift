/// A walk over the pieces of the codestream that lie in the boxes of a JPEG XL file (ISO/IEC 18181-2).
///
/// All other boxes are passed over: EXIF data say nothing of the orientation here, which the codestream does.
struct JXLContainer {
  private enum BoxType {
    static let codestream: UInt32 = 0x6A78_6C63  // jxlc
    static let part: UInt32 = 0x6A78_6C70  // jxlp
  }

  private var boxes: BoxReader
  private var isAtEnd = false

  /// - Parameter file: one for which `isContainer` holds.
  init(_ file: UnsafeRawBufferPointer) { boxes = BoxReader(ByteReader(file), .jxl) }

  static func isContainer(_ file: UnsafeRawBufferPointer) -> Bool { ByteReader(file, at: 4).starts(with: "JXL ") }

  /// The next piece, as far as it is there; `nil` behind the last one, and where the file ends.
  mutating func next() throws -> ByteReader? {
    while !isAtEnd, let box = try boxes.next() {
      switch box.type {
      case BoxType.codestream:
        isAtEnd = true
        return box.content
      case BoxType.part:
        // A number, whose highest bit says that it is the last one.
        var content = box.content
        guard let number = content.uint32(.big) else { break }
        isAtEnd = number >> 31 == 1
        return content
      default: break
      }
      if !box.isWhole { isAtEnd = true }
    }
    return nil
  }

  /// Whether the file does not end within a box.
  static func isWhole(_ file: UnsafeRawBufferPointer) -> Bool {
    var boxes = BoxReader(ByteReader(file), .jxl)
    var remaining = file.count
    while let box = try? boxes.next() {
      guard box.isWhole else { return false }
      remaining = boxes.remaining
    }
    return remaining == 0
  }
}
