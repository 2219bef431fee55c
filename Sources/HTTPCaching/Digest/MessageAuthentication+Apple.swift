#if canImport(Darwin)
  import CryptoKit
  import Foundation

  extension MessageAuthentication {
    static func platformSHA256(_ message: Data, key: Data) -> Data {
      Data(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
  }
#endif
