/// What one client, and all of them together, may take. Bytes and seconds.
package struct ProxyLimits: Sendable {
  /// Connections at a time; others wait to be accepted. Default 256.
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
  /// Longest time for the whole of a head. Default 30.
  package var headSeconds = 30.0
  /// Longest time without a byte from the origin. Default 30.
  package var originSeconds = 30.0

  package init() {}
}
