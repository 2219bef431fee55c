#if canImport(Darwin)
  import os

  extension PipelineObserver {
    /// Marks every event for Instruments, among the points of interest.
    ///
    /// - Parameter subsystem: as it shows in Instruments. Default “Vignette”.
    public static func signposts(subsystem: String = "Vignette") -> PipelineObserver {
      let log = OSLog(subsystem: subsystem, category: .pointsOfInterest)
      return PipelineObserver { os_signpost(.event, log: log, name: $0.kind.signpost) }
    }
  }

  extension PipelineEvent.Kind {
    fileprivate var signpost: StaticString {
      switch self {
      case .requested: "requested"
      case .succeeded: "succeeded"
      case .failed: "failed"
      case .cancelled: "cancelled"
      case .memoryHit: "memory hit"
      case .thumbnailHit: "thumbnail hit"
      case .coalesced: "coalesced"
      case .fetched: "fetched"
      case .resumed: "resumed"
      case .retried: "retried"
      case .refusedAgain: "refused again"
      case .alternative: "alternative"
      case .decoded: "decoded"
      case .processed: "processed"
      case .thumbnailStored: "thumbnail stored"
      }
    }
  }
#endif
