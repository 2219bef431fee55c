extension PipelineObserver {
  /// One line for every event, without addresses; nothing is logged unless this is the configuration's `observer`.
  ///
  /// - Parameter write: called on whichever thread the event happens.
  public static func log(_ write: @escaping @Sendable (String) -> Void) -> PipelineObserver {
    PipelineObserver { write($0.summary) }
  }
}

extension PipelineEvent {
  /// What happened, in a few words and without the address, which may hold credentials.
  public var summary: String {
    switch kind {
    case .requested: "requested"
    case .succeeded(let origin): "succeeded from \(origin.rawValue)"
    case .failed(let code): "failed: \(code)"
    case .cancelled: "cancelled"
    case .memoryHit: "memory hit"
    case .thumbnailHit: "thumbnail hit"
    case .coalesced: "joined work under way"
    case .fetched(let origin, let bytes): "fetched \(bytes) bytes from \(origin.rawValue)"
    case .resumed(let bytes): "resumed after \(bytes) bytes"
    case .retried(let code, let seconds): "again in \(seconds) s after \(code)"
    case .refusedAgain: "refused as a moment ago"
    case .alternative(let code): "next source after \(code)"
    case .decoded(let seconds): "decoded in \(seconds * 1_000) ms"
    case .processed(let seconds): "processed in \(seconds * 1_000) ms"
    case .thumbnailStored(let bytes): "thumbnail of \(bytes) bytes stored"
    }
  }
}
