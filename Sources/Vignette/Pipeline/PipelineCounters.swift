/// What a pipeline has done since it was made. Numbers only grow; take two and subtract.
public struct PipelineCounters: Hashable, Sendable {
  /// Look-ups and requests answered at once from decoded pictures in memory, whatever their size.
  public var memoryHits = 0
  /// Sources fetched from the network.
  public var networkLoads = 0
  /// Sources answered by the HTTP cache: memory, disk or a revalidation.
  public var cachedLoads = 0
  /// Requests that joined work already under way.
  public var coalesced = 0
  public var cancelled = 0
  public var failures = 0
  /// Encoded bytes received from the network.
  public var networkBytes = 0
  public var decodes = 0
  /// Seconds spent decoding, all threads together.
  public var decodeTime = 0.0
  /// Decoded pictures evicted from memory to keep its budget.
  public var evictions = 0

  public init() {}
}
