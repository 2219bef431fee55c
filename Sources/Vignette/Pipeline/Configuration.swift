import Foundation
import HTTPCaching
import ImageCodecs

extension ImagePipeline {
  /// Everything about a pipeline that can be chosen, with its defaults.
  public struct Configuration: Sendable {
    /// How http and https sources are fetched.
    public var loader: DataLoader
    /// How bytes become pixels.
    public var decoder = Decoder()
    /// Bytes of decoded pixels kept in memory. Default 128 MiB.
    public var memoryBudget = 128 << 20
    /// Pictures decoded at once. Default: the number of active processors.
    public var concurrentDecodes = ProcessInfo.processInfo.activeProcessorCount
    /// The wall clock by which freshness is judged.
    public var now: @Sendable () -> Date = { Date() }

    public init(loader: DataLoader) { self.loader = loader }
  }

  /// How the pipeline decodes; a closure, so that tests and apps can put another in.
  public struct Decoder: Sendable {
    /// Blocking. Throws `CodecError`, or `CancellationError` when its last argument answers `true`.
    public var decode: @Sendable (Data, DecodeTarget, @Sendable () -> Bool) throws -> DecodedImage

    /// The decoders of `ImageCodecs`.
    public init(limits: DecodeLimits = DecodeLimits()) {
      let decoder = ImageDecoder(limits: limits)
      decode = { try decoder.decode($0, target: $1, isCancelled: $2) }
    }

    public init(decode: @escaping @Sendable (Data, DecodeTarget, @Sendable () -> Bool) throws -> DecodedImage) {
      self.decode = decode
    }
  }
}
