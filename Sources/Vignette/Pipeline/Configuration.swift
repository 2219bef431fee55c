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
    /// Bytes of decoded pixels kept in memory. Default: 15 % of the memory this process may use, see
    /// `ImageMemoryCache.defaultBudget`.
    public var memoryBudget = ImageMemoryCache.defaultBudget
    /// The most one picture in memory may cost, in bytes. Default `nil`: a quarter of the budget.
    public var memoryEntryCeiling: Int?
    /// Seconds after which a picture in memory is no longer used, whatever HTTP says. Default `nil`: without end.
    public var memoryLifetime: Double?
    /// What tells that memory is short. Default: the system.
    public var memoryPressure = MemoryPressureSource.system
    /// Whether pictures that were scaled down are kept, small, with the response they came from, so that a later start
    /// decodes those. Default `true`.
    public var storesThumbnails = true
    /// Pictures decoded, or processed, at once. Default: the number of active processors.
    public var concurrentDecodes = ProcessInfo.processInfo.activeProcessorCount
    /// Transfers at once, from all hosts. Default 12.
    public var concurrentDownloads = 12
    /// Transfers at once from one host. Default 6, as in browsers.
    public var concurrentDownloadsPerHost = 6
    /// When a failed transfer is tried again. Default: see `RetryPolicy`.
    public var retry = RetryPolicy()
    /// What is known of the network. Default: what the system says.
    public var network = NetworkReturn.platform
    /// Time and chance. Default the system's.
    public var clock = PipelineClock.system
    /// Told of every event as it happens. Default nobody.
    public var observer: PipelineObserver?

    public init(loader: DataLoader) { self.loader = loader }

    /// The wall clock by which freshness is judged.
    public var now: @Sendable () -> Date {
      get { clock.now }
      set { clock.now = newValue }
    }
  }

  /// How the pipeline decodes; a closure, so that tests and apps can put another in.
  public struct Decoder: Sendable {
    /// Blocking. Throws `CodecError`, or `CancellationError` when its last argument answers `true`; asks that between
    /// rows, which is also where a prefetched picture makes way for one that is visible.
    public var decode: @Sendable (Data, DecodeTarget, @Sendable () -> Bool) throws -> DecodedImage
    /// Which colour space the pixels come in. Thumbnails on disk are kept apart by it, since pipelines may share a store.
    public let colors: ColorPolicy

    /// The decoders of `ImageCodecs`.
    /// - Parameter colors: default: sRGB on Linux, whose views draw every picture as sRGB; that of the source on Apple's
    ///   platforms.
    public init(limits: DecodeLimits = DecodeLimits(), colors: ColorPolicy = .platformDefault) {
      let decoder = ImageDecoder(limits: limits, colors: colors)
      self.colors = colors
      decode = { try decoder.decode($0, target: $1, isCancelled: $2) }
    }

    /// - Parameter colors: what `decode` does with colours; see `ColorPolicy`.
    public init(
      colors: ColorPolicy = .platformDefault,
      decode: @escaping @Sendable (Data, DecodeTarget, @Sendable () -> Bool) throws -> DecodedImage
    ) {
      self.colors = colors
      self.decode = decode
    }
  }
}
