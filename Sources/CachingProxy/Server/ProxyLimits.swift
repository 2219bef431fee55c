/// What one client, and all of them together, may take. Bytes and seconds.
package struct ProxyLimits: Sendable {
  /// Connections at a time. A new one takes the place of the one that has been idle longest, or else waits. Default 256.
  package var connections = 256
  /// Longest request head. Default 64 KiB.
  package var headBytes = 64 << 10
  /// Longest request body. Default 64 MiB.
  package var bodyBytes = 64 << 20
  /// Request bodies of all connections together. Default 256 MiB.
  package var totalBodyBytes = 256 << 20
  /// Longest response that is kept. Default 16 MiB.
  package var storedBytes = 16 << 20
  /// Longest time without a byte, in a body in either direction or between two requests. Default 30.
  package var idleSeconds = 30.0
  /// Bytes that a client has to send or take for each second of waiting within a body, beyond `idleSeconds`. Default
  /// 1024.
  package var bytesPerSecond = 1024.0
  /// Longest time for the whole of a head. Default 30.
  package var headSeconds = 30.0
  /// Longest time, and bytes, for which is read on from a client that has had its last answer. Default 2 and 64 KiB.
  package var lingerSeconds = 2.0
  package var lingerBytes = 64 << 10
  /// Exchanges with the origin at a time; each lasts until its client has the answer. Default 64.
  package var originExchanges = 64
  /// Longest time for which a request waits for its turn at the origin; then what is stored has to do, or the answer is
  /// 503. Default 5.
  package var originWaitSeconds = 5.0
  /// Longest time without a byte from the origin. Default 30.
  package var originSeconds = 30.0

  package init() {}

  /// The defaults, with fewer connections and exchanges where the process may have few descriptors open: one that has
  /// none left loses more than it turns away.
  /// - Parameter descriptors: files and sockets that may be open at a time. 64 are left to everything else.
  package init(descriptors: Int) {
    let share = max((descriptors - 64) / 2, 1)
    connections = min(connections, share)
    originExchanges = min(originExchanges, share)
  }
}
