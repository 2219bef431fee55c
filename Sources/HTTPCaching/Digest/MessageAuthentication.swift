import Foundation

/// Keyed digests (HMAC, RFC 2104): what cannot be made, or guessed back, without the key.
///
/// Nothing here keeps state; the platform's library computes. Empty keys and messages are as valid as others.
package enum MessageAuthentication {
  /// - Returns: 32 bytes: HMAC-SHA-256 (RFC 4231).
  package static func sha256(_ message: Data, key: Data) -> Data { platformSHA256(message, key: key) }
}
