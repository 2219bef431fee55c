import Pixels

/// What the properties of an item of a HEIF file say of its picture (ISO/IEC 23008-12, section 6.5).
struct HEIFPicture {
  /// As it is coded.
  private(set) var size = PixelSize.zero
  private(set) var color = HEIFColor()
  /// How its coded data are to be read.
  private(set) var configuration: ByteReader?
  private var channels: (count: Int, depth: Int)?
  private var turn = Turn()
  private var aperture: HEIFAperture?

  /// The part that is shown.
  var crop: PixelRect { aperture?.rect(in: size) ?? PixelRect(size) }
  /// Whether it is shown otherwise than it is coded.
  var isTransformed: Bool { turn.orientation != .up || crop != PixelRect(size) }

  func info(_ format: ImageFormat) -> ImageInfo {
    // libavif leaves cropping to others, and other programs leave it out.
    let shown = format == .avif ? size : crop.size
    var info = ImageInfo(format: format, storedSize: shown, orientation: turn.orientation)
    info.colorSpace = color.summary
    let channels = channels ?? configuration.flatMap(Self.channels)
    if let channels {
      info.bitDepth = channels.depth
      if channels.count == 1 { info.colorModel = .grey }
    }
    return info
  }

  mutating func note(_ property: BoxReader.Box) {
    var box = property
    switch box.type {
    case HEIFBoxType.extents:
      guard box.versionAndFlags() != nil, let width = box.content.uint32(.big), let height = box.content.uint32(.big)
      else { return }
      size = PixelSize(width: Int(width), height: Int(height))
    case HEIFBoxType.channels:
      guard box.versionAndFlags() != nil, let count = box.content.uint8(), let depth = box.content.uint8() else {
        return
      }
      channels = (Int(count), Int(depth))
    case HEIFBoxType.rotation: turn.quarters = Int((box.content.uint8() ?? 0) & 3)
    case HEIFBoxType.mirror: turn.mirror = box.content.uint8().map { $0 & 1 == 0 ? .topAndBottom : .leftAndRight }
    case HEIFBoxType.aperture: aperture = HEIFAperture(box.content)
    case HEIFBoxType.color: color.note(box.content)
    case HEIFBoxType.codecConfiguration: configuration = box.content
    default: break
    }
  }

  /// Takes over what is not said here of colours.
  mutating func complete(from cell: HEIFPicture) {
    color.complete(from: cell.color)
    channels = channels ?? cell.channels
    configuration = configuration ?? cell.configuration
  }

  /// By the configuration of HEVC (ISO/IEC 14496-15, section 8.3.3.1.2).
  private static func channels(_ configuration: ByteReader) -> (count: Int, depth: Int)? {
    var reader = configuration.dropping(16)
    guard let chroma = reader.uint8(), let depth = reader.uint8() else { return nil }
    return (chroma & 3 == 0 ? 1 : 3, Int(depth & 7) + 8)
  }

  static func isAlpha(_ property: BoxReader.Box) -> Bool {
    var box = property
    guard box.type == HEIFBoxType.auxiliary, box.versionAndFlags() != nil else { return false }
    return box.content.starts(with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")
      || box.content.starts(with: "urn:mpeg:hevc:2015:auxid:1")
  }

  /// ISO/IEC 23008-12, sections 6.5.10 and 6.5.12: first turned, then mirrored.
  private struct Turn {
    enum Mirror {
      case topAndBottom, leftAndRight
    }

    /// Against the clock.
    var quarters = 0
    var mirror: Mirror?

    var orientation: Orientation {
      switch (quarters, mirror) {
      case (0, nil): .up
      case (0, .topAndBottom), (2, .leftAndRight): .downMirrored
      case (0, .leftAndRight), (2, .topAndBottom): .upMirrored
      case (1, nil): .left
      case (1, .topAndBottom), (3, .leftAndRight): .leftMirrored
      case (1, .leftAndRight), (3, .topAndBottom): .rightMirrored
      case (2, nil): .down
      default: .right
      }
    }
  }
}

/// The part of a picture that is shown: a size, and how far its centre lies from that of the picture, all as fractions
/// (ISO/IEC 14496-12, section 12.1.4).
private struct HEIFAperture {
  private let width: Double
  private let height: Double
  private let right: Double
  private let down: Double

  /// - Returns: `nil` for a division by zero.
  init?(_ content: ByteReader) {
    var reader = content
    func fraction(isSigned: Bool = false) -> Double? {
      guard let above = reader.uint32(.big), let below = reader.uint32(.big), below != 0 else { return nil }
      return (isSigned ? Double(Int32(bitPattern: above)) : Double(above)) / Double(below)
    }
    guard let width = fraction(), let height = fraction(), let right = fraction(isSigned: true),
      let down = fraction(isSigned: true)
    else { return nil }
    (self.width, self.height, self.right, self.down) = (width, height, right, down)
  }

  /// The nearest whole pixels; `nil` where they do not lie within the picture, as some encoders write it.
  func rect(in size: PixelSize) -> PixelRect? {
    let shown = PixelSize(width: Int(width.rounded()), height: Int(height.rounded()))
    let x = Int((Double(size.width - shown.width) / 2 + right).rounded())
    let y = Int((Double(size.height - shown.height) / 2 + down).rounded())
    let rect = PixelRect(x: x, y: y, size: shown)
    return !shown.isEmpty && rect.clipped(to: size) == rect ? rect : nil
  }
}
