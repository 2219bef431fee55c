import Foundation

/// Keyed digests (HMAC, RFC 2104): what cannot be made, or guessed back, without the key.
///
/// Nothing here keeps state; the platform's library computes. Empty keys and messages are as valid as others.
package enum MessageAuthentication {
  /// - Returns: 32 bytes: HMAC-SHA-256 (RFC 4231).
  package static func sha256(_ message: Data, key: Data) -> Data { platformSHA256(message, key: key) }

  /// - Returns: 20 bytes: HMAC-SHA-1 (RFC 2202). For services that ask for it; what is decided here uses `sha256`.
  package static func sha1(_ message: Data, key: Data) -> Data { platformSHA1(message, key: key) }
}
