import Foundation
import HTTPCaching
import ImageCodecs
import Pixels

/// A picture ready to draw, and where it came from.
public struct ImageResponse: Sendable {
  public enum Origin: String, Sendable, CaseIterable {
    /// The source came over the network.
    case network
    /// The source was a stored response, on disk.
    case disk
    /// The source was a stored response that the server confirmed.
    case revalidated
    /// The decoded picture was in memory; or the source was, as a stored response, and `decodeTime` is not 0.
    case memory
    /// A smaller picture stored with the source, which itself was not read.
    case thumbnail
    case file, data
  }

  public var image: DecodedImage
  public var origin: Origin
  /// What the HTTP cache did for the source or its thumbnail (RFC 9211); `nil` where it was not asked.
  public var cacheStatus: CacheStatus?
  /// Encoded bytes that were decoded: of the source, or of its thumbnail where that answered; 0 where nothing was read
  /// because the decoded picture was in memory.
  public var bytes: Int
  /// Seconds spent decoding; 0 for a memory hit.
  public var decodeTime: Double
  /// The largest target this answers, where the pixels do not tell: of a source that came at a size of its own, or a
  /// picture that processors have changed. `nil` where they do.
  public var coverage: DecodeTarget?

  public var bitmap: Bitmap { image.bitmap }
  /// The source's size in pixels as displayed, whatever size was decoded.
  public var sourceSize: PixelSize { image.info.size }

  public init(image: DecodedImage, origin: Origin, bytes: Int, decodeTime: Double) {
    self.image = image
    self.origin = origin
    self.bytes = bytes
    self.decodeTime = decodeTime
  }
}
