#if !canImport(Darwin)
  internal import CNettle
  import Foundation

  extension MessageAuthentication {
    static func platformSHA256(_ message: Data, key: Data) -> Data {
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
      // Arrays, because an empty Data may have no address, and nettle takes none.
      cnettle_hmac_sha256([UInt8](key), key.count, [UInt8](message), message.count, &digest)
      return Data(digest)
    }

    static func platformSHA1(_ message: Data, key: Data) -> Data {
      var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
      cnettle_hmac_sha1([UInt8](key), key.count, [UInt8](message), message.count, &digest)
      return Data(digest)
    }
  }
#endif
