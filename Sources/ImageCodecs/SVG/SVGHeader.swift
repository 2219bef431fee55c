import Pixels

/// The start tag of an SVG's root element, which says how large the drawing is (SVG 2, sections 5.1 and 8.2).
enum SVGHeader {
  /// Bytes in which the root's start tag must end. Drawing programs write some hundred before it.
  private static let longest = 64 << 10

  enum Answer: Hashable {
    case drawing(ImageInfo)
    /// So far this may become a drawing, and says so itself where it is named.
    case incomplete(isNamed: Bool)
    /// Anything else, also other XML.
    case none
  }

  /// Looks at bytes that have no picture's signature.
  /// - Throws: `image.corrupt` for a drawing without a size.
  static func read(_ bytes: UnsafeRawBufferPointer) throws -> Answer {
    var scanner = XMLScanner(UnsafeRawBufferPointer(rebasing: bytes.prefix(longest)))
    switch scanner.rootElement(named: "svg") {
    case .found(let attributes): return .drawing(try info(attributes))
    case .incomplete(let isNamed): return bytes.count < longest ? .incomplete(isNamed: isNamed) : .none
    case .none: return .none
    }
  }

  private static func info(_ attributes: [String: String]) throws -> ImageInfo {
    let size = size(
      width: attributes["width"].flatMap(pixels), height: attributes["height"].flatMap(pixels),
      viewBox: attributes["viewBox"].flatMap(viewBox))
    guard !size.isEmpty else { throw CodecError.corrupt(.svg, "a drawing without a size") }
    return ImageInfo(format: .svg, storedSize: size, hasAlpha: true, colorSpace: .sRGB)
  }

  /// What is not said follows from the shape of the view box, and is its size where nothing is said; without one it is
  /// 300 by 150, as for every replaced element (CSS 2.1, section 10.3.2).
  private static func size(width: Double?, height: Double?, viewBox: (width: Double, height: Double)?) -> PixelSize {
    let shape = viewBox ?? (300, 150)
    return switch (width, height) {
    case (let width?, let height?): whole(width, height)
    case (let width?, nil): whole(width, viewBox.map { width / $0.width * $0.height } ?? shape.height)
    case (nil, let height?): whole(viewBox.map { height / $0.height * $0.width } ?? shape.width, height)
    case (nil, nil): whole(shape.width, shape.height)
    }
  }

  /// At least a pixel, unless a side is nothing. What no integer holds is longer than any limit.
  private static func whole(_ width: Double, _ height: Double) -> PixelSize {
    func side(_ length: Double) -> Int { length > 0 ? max(1, Int(exactly: length.rounded()) ?? .max) : 0 }
    return PixelSize(width: side(width), height: side(height))
  }

  /// Pixels in a unit (CSS Values 3, section 5.2); an em has 16 of them, as in a browser that was not told otherwise.
  private static let units: [Substring: Double] = [
    "": 1, "px": 1, "pt": 96 / 72, "pc": 16, "in": 96, "cm": 96 / 2.54, "mm": 9.6 / 2.54, "q": 2.4 / 2.54, "em": 16,
    "ex": 8,
  ]

  /// A length in pixels; `nil` for what is none, and for percentages, which are of something that is not known here.
  private static func pixels(_ text: String) -> Double? {
    let text = text.trimmingSpaces.lowercased()
    // An exponent's e is followed by a digit or a sign, that of em and ex is not.
    let end = text.indices.first { index in
      let character = text[index]
      guard character.isASCII, character.isLetter || character == "%" else { return false }
      let next = text[text.index(after: index)...].first
      return character != "e" || !(next.map { $0.isNumber || $0 == "-" || $0 == "+" } ?? false)
    }
    let number = text[..<(end ?? text.endIndex)]
    guard let factor = units[text[(end ?? text.endIndex)...]], let value = Double(number), value.isFinite, value >= 0
    else { return nil }
    return value * factor
  }

  private static func viewBox(_ text: String) -> (width: Double, height: Double)? {
    let numbers = text.split { $0 == "," || $0.isWhitespace }.map { Double($0) ?? .nan }
    guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[2] > 0, numbers[3] > 0 else { return nil }
    return (numbers[2], numbers[3])
  }
}

extension String {
  fileprivate var trimmingSpaces: Substring {
    let start = drop(while: \.isWhitespace)
    return start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)]
  }
}
