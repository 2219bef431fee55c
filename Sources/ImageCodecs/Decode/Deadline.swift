import Dispatch

extension DecodeLimits {
  /// Runs `body`, which asks whether to go on, and ends it when its time is over.
  /// - Throws: what `body` throws; `image.timedOut` where it was the time that ended it.
  func withDeadline<Result>(
    _ isCancelled: () -> Bool, _ body: (_ isCancelled: () -> Bool) throws -> Result
  ) throws -> Result {
    // Asked between rows: of a small picture ProcessInfo's uptime would be a sixth of the work.
    let start = DispatchTime.now().uptimeNanoseconds
    var isLate: Bool { Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 >= maximumSeconds }
    do {
      return try withoutActuallyEscaping(isCancelled) { isCancelled in try body { isCancelled() || isLate } }
    } catch is CancellationError where isLate && !isCancelled() {
      throw CodecError(
        .timedOut,
        "The picture was not decoded after \(maximumSeconds) seconds. Use a simpler picture, or allow more time.")
    }
  }
}
