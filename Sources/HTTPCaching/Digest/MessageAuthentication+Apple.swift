#if canImport(Darwin)
  import CryptoKit
  import Foundation

  extension MessageAuthentication {
    static func platformSHA256(_ message: Data, key: Data) -> Data {
      Data(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }

    static func platformSHA1(_ message: Data, key: Data) -> Data {
      Data(HMAC<Insecure.SHA1>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
  }
#endif
