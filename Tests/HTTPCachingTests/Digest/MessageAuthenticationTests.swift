import Foundation
import Testing

@testable import HTTPCaching

@Suite("Keyed digests")
struct MessageAuthenticationTests {
  struct Vector: Sendable {
    var key: Data
    var message: Data
    var digest: String
  }

  /// RFC 4231, sections 4.2 to 4.4 and 4.7; the last by Python's hmac module.
  static let vectors = [
    Vector(
      key: Data(repeating: 0x0b, count: 20), message: Data("Hi There".utf8),
      digest: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Vector(
      key: Data("Jefe".utf8), message: Data("what do ya want for nothing?".utf8),
      digest: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Vector(
      key: Data(repeating: 0xaa, count: 20), message: Data(repeating: 0xdd, count: 50),
      digest: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Vector(
      key: Data(repeating: 0xaa, count: 131),
      message: Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      digest: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Vector(
      key: Data(), message: Data(),
      digest: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
  ]

  @Test("HMAC-SHA-256 gives the digests of RFC 4231, and takes empty keys and messages", arguments: vectors)
  func sha256(_ vector: Vector) {
    let digest = MessageAuthentication.sha256(vector.message, key: vector.key)
    #expect(digest.map { String(format: "%02x", $0) }.joined() == vector.digest)
  }

  /// RFC 2202, section 3, cases 1, 2, 3 and 6; the last by Python's hmac module.
  static let olderVectors = [
    Vector(
      key: Data(repeating: 0x0b, count: 20), message: Data("Hi There".utf8),
      digest: "b617318655057264e28bc0b6fb378c8ef146be00"),
    Vector(
      key: Data("Jefe".utf8), message: Data("what do ya want for nothing?".utf8),
      digest: "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    Vector(
      key: Data(repeating: 0xaa, count: 20), message: Data(repeating: 0xdd, count: 50),
      digest: "125d7342b9ac11cd91a39af48aa17b4f63f175d3"),
    Vector(
      key: Data(repeating: 0xaa, count: 80),
      message: Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      digest: "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    Vector(key: Data(), message: Data(), digest: "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
  ]

  @Test("HMAC-SHA-1 gives the digests of RFC 2202, and takes empty keys and messages", arguments: olderVectors)
  func sha1(_ vector: Vector) {
    let digest = MessageAuthentication.sha1(vector.message, key: vector.key)
    #expect(digest.map { String(format: "%02x", $0) }.joined() == vector.digest)
  }

  @Test("a slice of Data counts as its own bytes")
  func slices() {
    let slice = Data("..Jefe..".utf8)[2..<6]
    let whole = MessageAuthentication.sha256(Data("x".utf8), key: Data("Jefe".utf8))
    #expect(MessageAuthentication.sha256(Data("-x-".utf8)[1..<2], key: slice) == whole)
  }
}
