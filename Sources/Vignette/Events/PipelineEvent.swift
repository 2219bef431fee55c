import Foundation

/// Something a pipeline did. `PipelineCounters` is the sum of them.
public struct PipelineEvent: Sendable {
  public enum Kind: Hashable, Sendable {
    /// A request was made of the pipeline; ends in exactly one of `succeeded`, `failed` and `cancelled`.
    case requested
    case succeeded(ImageResponse.Origin)
    /// With the error's code.
    case failed(ImageLoadingError.Code)
    case cancelled

    /// A decoded picture in memory answered a request or a look-up.
    case memoryHit
    /// A thumbnail stored with the source was decoded in place of the source.
    case thumbnailHit
    /// A request, or the work of one, joined work already under way.
    case coalesced
    /// A source arrived: from the network, from the HTTP cache, from a file, with so many encoded bytes. Those that an
    /// interrupted transfer had left behind are not among them.
    case fetched(ImageResponse.Origin, bytes: Int)
    /// A transfer went on after so many bytes that an interrupted one had left behind; its source has arrived.
    case resumed(bytes: Int)
    /// A transfer failed and is tried again after so many seconds.
    case retried(ImageLoadingError.Code, after: Double)
    /// A recent 404 or 410 was taken as the answer.
    case refusedAgain
    /// The source failed, and the next of the request's alternatives is tried.
    case alternative(ImageLoadingError.Code)
    /// In seconds.
    case decoded(seconds: Double)
    case processed(seconds: Double)
    case thumbnailStored(bytes: Int)
  }

  public var kind: Kind
  /// The source's address, where it has one. May hold credentials in its query; do not log it unasked.
  public var url: URL?
}

/// What a pipeline has done since it was made. Numbers only grow; take two and subtract.
///
/// Invariant: `requests` is `successes + failures + cancelled` whenever nothing is under way.
public struct PipelineCounters: Hashable, Sendable {
  public var requests = 0
  public var successes = 0
  public var failures = 0
  public var cancelled = 0
  /// Look-ups and requests answered at once from decoded pictures in memory, whatever their size.
  public var memoryHits = 0
  public var thumbnailHits = 0
  /// Requests that joined work already under way.
  public var coalesced = 0
  /// Sources fetched from the network.
  public var networkLoads = 0
  /// Encoded bytes received from the network.
  public var networkBytes = 0
  /// Sources that the HTTP cache had, still fresh.
  public var freshLoads = 0
  /// Sources that the HTTP cache had and the server confirmed.
  public var revalidatedLoads = 0
  /// Transfers that went on where an earlier one had ended.
  public var resumed = 0
  public var retried = 0
  /// Requests answered by a recent 404 or 410.
  public var refusedAgain = 0
  public var alternatives = 0
  public var decodes = 0
  /// Seconds spent decoding, all threads together.
  public var decodeTime = 0.0
  public var processed = 0
  /// Seconds spent in processors, all threads together.
  public var processTime = 0.0
  public var thumbnailsStored = 0
  /// Decoded pictures evicted from memory to keep its budget.
  public var evictions = 0

  /// Sources answered by the HTTP cache: still fresh, or confirmed by the server.
  public var cachedLoads: Int { freshLoads + revalidatedLoads }

  public init() {}

  /// Counts one event.
  public mutating func add(_ kind: PipelineEvent.Kind) {
    switch kind {
    case .requested: requests += 1
    case .succeeded: successes += 1
    case .failed: failures += 1
    case .cancelled: cancelled += 1
    case .memoryHit: memoryHits += 1
    case .thumbnailHit: thumbnailHits += 1
    case .coalesced: coalesced += 1
    case .fetched(let origin, let bytes): add(origin, bytes: bytes)
    case .resumed: resumed += 1
    case .retried: retried += 1
    case .refusedAgain: refusedAgain += 1
    case .alternative: alternatives += 1
    case .decoded(let seconds):
      decodes += 1
      decodeTime += seconds
    case .processed(let seconds):
      processed += 1
      processTime += seconds
    case .thumbnailStored: thumbnailsStored += 1
    }
  }

  private mutating func add(_ origin: ImageResponse.Origin, bytes: Int) {
    switch origin {
    case .network:
      networkLoads += 1
      networkBytes += bytes
    case .revalidated: revalidatedLoads += 1
    case .disk, .memory: freshLoads += 1
    case .file, .data, .thumbnail: break
    }
  }
}

extension PipelineCounters: CustomStringConvertible {
  /// One line, for a log or a status bar.
  public var description: String {
    let milliseconds = Int((decodeTime * 1_000).rounded())
    return """
      requests \(requests) (ok \(successes), failed \(failures), cancelled \(cancelled)); \
      memory \(memoryHits), thumbnails \(thumbnailHits), coalesced \(coalesced); \
      network \(networkLoads) (\(networkBytes) bytes), fresh \(freshLoads), revalidated \(revalidatedLoads), \
      resumed \(resumed), retried \(retried); decodes \(decodes) (\(milliseconds) ms), evicted \(evictions)
      """
  }
}
