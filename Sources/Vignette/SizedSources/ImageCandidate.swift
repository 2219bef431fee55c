import Foundation
import Pixels

/// One file of a picture that was made at several sizes, and the choice among them.
///
/// The choice is HTML's: the smallest candidate that is dense enough, else the densest; of two that are equally dense
/// the first. Invariant: choosing is pure, and a list is never empty.
public struct ImageCandidate: Hashable, Sendable {
  /// How large the file is.
  public enum Descriptor: Hashable, Sendable {
    /// Its width in pixels (`320w`).
    case width(Int)
    /// Pixels for each point (`2x`).
    case density(Double)
  }

  /// What a density is measured against, since a view asks in pixels.
  public enum Reference: Hashable, Sendable {
    /// Files drawn for screens of one scale each, as browsers and asset catalogues take them: that of the screen
    /// (`displayScale`) chooses, whatever the size of the view.
    case displayScale(Double)
    /// The picture at 1x is so many pixels wide: the size of the view chooses.
    case width(Int)
  }

  public var url: URL
  public var descriptor: Descriptor

  public init(url: URL, descriptor: Descriptor) {
    self.url = url
    self.descriptor = descriptor
  }

  /// - Parameter wanted: pixels; only the width counts, as in HTML.
  static func best(of candidates: [ImageCandidate], for wanted: PixelSize, reference: Reference) -> ImageCandidate? {
    let sized = candidates.map { ($0, $0.width(for: wanted, reference: reference)) }
    let enough = sized.filter { $0.1 >= Double(wanted.width) }
    return (enough.min { $0.1 < $1.1 } ?? sized.max { $0.1 < $1.1 })?.0
  }

  /// The width in pixels of a view that this file serves as well as it serves the view wanted.
  fileprivate func width(for wanted: PixelSize, reference: Reference) -> Double {
    switch (descriptor, reference) {
    case (.width(let pixels), _): Double(pixels)
    case (.density(let density), .width(let pixels)): density * Double(pixels)
    // The quotient first: a density that is the display's own is exactly enough.
    case (.density(let density), .displayScale(let scale)):
      Double(wanted.width) * (density / (scale > 0 && scale.isFinite ? scale : 1))
    }
  }
}

extension SizedSource {
  /// A picture that exists as several files.
  /// - Parameter original: for when the chosen file fails; default the largest.
  /// - Returns: `nil` where there is neither a candidate nor an original.
  public static func candidates(
    _ candidates: [ImageCandidate], reference: ImageCandidate.Reference = .displayScale(1), original: URL? = nil,
    id: String? = nil
  ) -> SizedSource? {
    let any = PixelSize(width: 1_000, height: 1_000)
    let largest = candidates.max { $0.width(for: any, reference: reference) < $1.width(for: any, reference: reference) }
    guard let original = original ?? largest?.url else { return nil }
    return SizedSource(original: original, id: id, steps: .exact) { size in
      ImageCandidate.best(of: candidates, for: size, reference: reference)?.url
    }
  }

  /// The `srcset` attribute of HTML, with its `w` and `x` descriptors: of a picture in a page, or made by a server.
  ///
  /// Candidates that are not valid are dropped; of the others the first 256 count.
  /// - Parameters:
  ///   - base: what relative addresses are resolved against.
  ///   - reference: for `x` descriptors, the scale of the display; default 1.
  ///   - original: the `src` attribute; default the largest candidate.
  /// - Returns: `nil` where there is neither a valid candidate nor an original.
  public static func srcset(
    _ text: String, base: URL? = nil, reference: ImageCandidate.Reference = .displayScale(1), original: URL? = nil,
    id: String? = nil
  ) -> SizedSource? {
    let found = SrcsetParser.parse(text).compactMap { candidate in
      URL(string: candidate.address, relativeTo: base).map {
        ImageCandidate(url: $0.absoluteURL, descriptor: candidate.descriptor)
      }
    }
    return candidates(found, reference: reference, original: original, id: id)
  }

  /// One file for each scale: `[1: photo, 2: photoTwice]`.
  /// - Returns: `nil` where there is none for a positive scale, nor an original.
  public static func scales(
    _ urls: [Int: URL], reference: ImageCandidate.Reference, original: URL? = nil, id: String? = nil
  ) -> SizedSource? {
    let found = urls.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    return candidates(
      found.map { ImageCandidate(url: $0.value, descriptor: .density(Double($0.key))) }, reference: reference,
      original: original, id: id)
  }

  /// Files named as Apple's tools name them: `photo.jpg`, `photo@2x.jpg`, `photo@3x.jpg`.
  ///
  /// The original is `photo` itself. Addresses without a file name have no other scales.
  public static func atScales(
    _ photo: URL, scales: [Int] = [1, 2, 3], reference: ImageCandidate.Reference, id: String? = nil
  ) -> SizedSource {
    let found = Set(scales.prefix(SrcsetParser.maximumCandidates)).filter { $0 > 0 }.sorted()
    let candidates = found.compactMap { scale in
      ScaledName.url(photo, scale: scale).map { ImageCandidate(url: $0, descriptor: .density(Double(scale))) }
    }
    return SizedSource(original: photo, id: id, steps: .exact) { size in
      ImageCandidate.best(of: candidates, for: size, reference: reference)?.url
    }
  }
}

/// `photo.jpg` to `photo@2x.jpg`, in whatever way the path is percent-encoded.
enum ScaledName {
  static func url(_ url: URL, scale: Int) -> URL? {
    guard scale != 1 else { return url }
    guard url.scheme?.lowercased() != "data",
      var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    else { return nil }
    let path = parts.percentEncodedPath
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard nameStart < path.endIndex else { return nil }
    let name = path[nameStart...]
    // A dot that begins the name makes it hidden; it begins no extension.
    let dot = name.dropFirst().lastIndex(of: ".") ?? path.endIndex
    parts.percentEncodedPath = String(path[..<dot]) + "@\(scale)x" + path[dot...]
    return parts.url
  }
}
