import Foundation
import ImageCodecs

/// Decoders by what the bytes begin with: an app's own before the library's.
///
/// The type a server or a file name claims is never asked. The first whose `matches` answers `true` decodes; what it
/// throws is the result.
public struct DecoderRegistry: Sendable {
  public struct Entry: Sendable {
    /// For error messages and logs.
    public var name: String
    /// Looks at the whole of the bytes, and should need only their beginning. Called on a decoding thread.
    public var matches: @Sendable (Data) -> Bool
    public var decoder: ImagePipeline.Decoder

    public init(name: String, matches: @escaping @Sendable (Data) -> Bool, decoder: ImagePipeline.Decoder) {
      self.name = name
      self.matches = matches
      self.decoder = decoder
    }

    /// A format known by the bytes it begins with.
    public init(name: String, signature: [UInt8], decoder: ImagePipeline.Decoder) {
      self.init(name: name, matches: { $0.starts(with: signature) }, decoder: decoder)
    }
  }

  /// In the order in which they are asked.
  public var entries: [Entry]
  /// Decodes what no entry wants. Default: the decoders of `ImageCodecs`.
  public var fallback: ImagePipeline.Decoder

  public init(_ entries: [Entry] = [], fallback: ImagePipeline.Decoder = ImagePipeline.Decoder()) {
    self.entries = entries
    self.fallback = fallback
  }

  /// All of them as one, for `ImagePipeline.Configuration.decoder`.
  public var decoder: ImagePipeline.Decoder {
    ImagePipeline.Decoder(colors: fallback.colors) { data, target, isCancelled in
      let decoder = entries.first { $0.matches(data) }?.decoder ?? fallback
      return try decoder.decode(data, target, isCancelled)
    }
  }
}
