import Pixels

/// The blocks of a GIF file up to its first image's data.
enum GIFHeader {
  static func read(_ bytes: UnsafeRawBufferPointer) throws -> ImageInfo? {
    guard let file = try GIFFile(bytes) else { return nil }
    let control = file.first.control
    var info = ImageInfo(
      format: .gif, storedSize: file.screen.size, hasAlpha: !file.isOpaque, colorModel: .indexed)
    if file.blocks.loopCount != nil || control.delay > 0 {
      info.animation = AnimationInfo(loopCount: file.blocks.loopCount ?? 1)
    }
    return info
  }
}
