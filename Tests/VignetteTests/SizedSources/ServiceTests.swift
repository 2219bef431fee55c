import Foundation
import Pixels
import Testing

@testable import Vignette

/// Addresses of resizing services, compared with the documentation of each, and beyond it with Python's hmac, base64
/// and urllib.parse.quote(safe="/:").
@Suite("Resizing services")
struct ServiceTests {
  /// A picture whose address has everything that needs care.
  static let awkward = "https://cdn.example.com/a%20b/%C3%A4@2x.jpg?w=1&h=2"

  private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

  private func imgproxy(_ base: String = "http://imgproxy.example.com") throws -> Imgproxy {
    Imgproxy(
      base: try url(base),
      key: try SigningKey(hexadecimal: "943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881"),
      salt: try SigningKey(hexadecimal: "520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5"))
  }

  @Test("imgproxy: the example of “Signing a URL”")
  func imgproxyDocumentation() throws {
    var service = Imgproxy(
      base: try url("http://imgproxy.example.com"), key: try SigningKey(hexadecimal: "736563726574"),
      salt: try SigningKey(hexadecimal: "68656C6C6F"))
    service.resizing = .fill
    service.sourceEncoding = .base64(segmentLength: 16)
    service.options = ["g:sm"]
    service.format = "png"
    let address = service.url(
      for: try url("http://example.com/images/curiosity.jpg"), size: PixelSize(width: 300, height: 400))
    #expect(
      address?.absoluteString
        == "http://imgproxy.example.com/oKfUtW34Dvo2BGQehJFR4Nr0_rIjOtdtzJ3QFsUcXH8/rs:fill:300:400:0/g:sm"
        + "/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png")
  }

  @Test("imgproxy: a plain source is percent-encoded once more, and signed as it is sent")
  func imgproxyPlain() throws {
    var service = try imgproxy("https://img.example.com/scaled/?x#y")
    service.sourceEncoding = .plain
    service.format = "webp"
    service.options = ["q:80"]
    let address = service.url(for: try url(Self.awkward + "#top"), size: PixelSize(width: 640, height: 512))
    #expect(
      address?.absoluteString
        == "https://img.example.com/scaled/7vNsa6YZfhMbtjZmwTnGqXHWecn3j-tf9XNfw7Nfs_4/rs:fit:640:512:0/q:80/plain"
        + "/https://cdn.example.com/a%2520b/%25C3%25A4%402x.jpg%3Fw%3D1%26h%3D2@webp")
  }

  @Test("imgproxy: by default the source is base64 in one piece")
  func imgproxyBase64() throws {
    let address = try imgproxy().url(for: try url(Self.awkward), size: PixelSize(width: 640, height: 512))
    #expect(
      address?.absoluteString
        == "http://imgproxy.example.com/ppfTCsmtr-t-qxVrJVwORwH72_kvzjH0u_BaURWYBfY/rs:fit:640:512:0"
        + "/aHR0cHM6Ly9jZG4uZXhhbXBsZS5jb20vYSUyMGIvJUMzJUE0QDJ4LmpwZz93PTEmaD0y")
  }

  @Test(
    "imgproxy: the signature is cut to the bytes the server is set to",
    arguments: [
      (1, "Ow"), (8, "O2qlcyrhOaI"), (32, "O2qlcyrhOaJImZDrbvZbgEdiMWc9OPNPQg6etI7Ysdk"),
      (99, "O2qlcyrhOaJImZDrbvZbgEdiMWc9OPNPQg6etI7Ysdk"), (-1, "Ow"),
    ])
  func imgproxySignatureSize(_ size: Int, _ signature: String) throws {
    var service = try imgproxy()
    service.signatureSize = size
    let address = service.url(for: try url("https://example.com/p.jpg"), size: PixelSize(width: 64, height: 64))
    #expect(
      address?.absoluteString
        == "http://imgproxy.example.com/\(signature)/rs:fit:64:64:0/aHR0cHM6Ly9leGFtcGxlLmNvbS9wLmpwZw")
  }

  @Test("imgproxy: an empty salt still signs; without a key the place of the signature says unsafe")
  func imgproxyEmptyKeys() throws {
    var service = try imgproxy()
    let picture = try url("https://example.com/p.jpg")
    let size = PixelSize(width: 64, height: 64)
    service.salt = .none
    #expect(
      service.url(for: picture, size: size)?.path
        == "/-G4ulbcRNmKWQEpCxeRh6wKuzSybQotEi_cLVRwXPDY/rs:fit:64:64:0/aHR0cHM6Ly9leGFtcGxlLmNvbS9wLmpwZw")
    service.key = SigningKey(Data())
    #expect(
      service.url(for: picture, size: size)?.path == "/unsafe/rs:fit:64:64:0/aHR0cHM6Ly9leGFtcGxlLmNvbS9wLmpwZw")
  }

  @Test("imgproxy: a source with dot segments is never sent where a client would resolve them")
  func imgproxyDotSegments() throws {
    var service = try imgproxy()
    service.sourceEncoding = .plain
    let address = service.url(for: try url("https://example.com/a/../p.jpg"), size: PixelSize(width: 64, height: 64))
    #expect(
      address?.absoluteString
        == "http://imgproxy.example.com/w-PLGbizkw4YLPHjWbM_vnUpKtLbNjOWZbctUnL1Y44/rs:fit:64:64:0"
        + "/aHR0cHM6Ly9leGFtcGxlLmNvbS9hLy4uL3AuanBn")
  }

  @Test("imgproxy: options that are no segment of a path are left out", arguments: ["", ".", ".."])
  func imgproxyNoOption(_ text: String) throws {
    var service = Imgproxy(base: try url("http://i"))
    service.options = [text, "q:80", text]
    service.sourceEncoding = .plain
    let address = service.url(for: try url("https://example.com/p.jpg"), size: PixelSize(width: 64, height: 64))
    #expect(address?.absoluteString == "http://i/unsafe/rs:fit:64:64:0/q:80/plain/https://example.com/p.jpg")
  }

  @Test(
    "thumbor: the scenarios of “Libraries”, and the example of its wiki",
    arguments: [
      (
        Thumbor.Resizing.fill(), [], "my-security-key", "my.server.com/some/path/to/image.jpg", 300, 200,
        "8ammJH8D-7tXy6kU3lTvoXlhu4o=/300x200/my.server.com/some/path/to/image.jpg"
      ),
      (
        .fit, ["fill(green)"], "MY_SECURE_KEY", "my/big/image.jpg", 560, 420,
        "bDv76lTvUdX6vORS96scx7P185c=/fit-in/560x420/filters:fill(green)/my/big/image.jpg"
      ),
      (
        .fill(smart: true), [], "my-security-key", "my.server.com/some/path/to/image.jpg", 300, 200,
        "a6-Wlrgfl_jW4YvfKIuVnmjEPhc=/300x200/smart/my.server.com/some/path/to/image.jpg"
      ),
    ] as [(Thumbor.Resizing, [String], String, String, Int, Int, String)])
  func thumborDocumentation(
    _ resizing: Thumbor.Resizing, _ filters: [String], _ key: String, _ picture: String, _ width: Int, _ height: Int,
    _ path: String
  ) throws {
    var service = Thumbor(base: try url("http://thumbor-server:8888/"), key: SigningKey(text: key))
    service.resizing = resizing
    service.filters = filters
    let address = service.url(for: try url(picture), size: PixelSize(width: width, height: height))
    #expect(address?.absoluteString == "http://thumbor-server:8888/" + path)
  }

  @Test("thumbor: the source is percent-encoded once more, and signed as it is sent")
  func thumborEncoding() throws {
    var service = Thumbor(base: try url("https://img.example.com/t"), key: SigningKey(text: "my-security-key"))
    service.resizing = .cover
    service.filters += ["quality(80)"]
    let address = service.url(for: try url(Self.awkward), size: PixelSize(width: 320, height: 256))
    #expect(
      address?.absoluteString
        == "https://img.example.com/t/NfCUlNh76TgcpRi1PuxhcGsLrAw=/full-fit-in/320x256/filters:no_upscale():quality(80)"
        + "/https://cdn.example.com/a%2520b/%25C3%25A4%402x.jpg%3Fw%3D1%26h%3D2")
  }

  @Test("thumbor: without a key the place of the signature says unsafe")
  func thumborUnsafe() throws {
    let service = Thumbor(base: try url("http://t"))
    let address = service.url(for: try url("https://example.com/p.jpg"), size: PixelSize(width: 64, height: 64))
    #expect(
      address?.absoluteString == "http://t/unsafe/fit-in/64x64/filters:no_upscale()/https://example.com/p.jpg")
  }

  @Test(
    "what a service elsewhere cannot have is loaded as it is",
    arguments: [
      "file:///photos/a.jpg", "FILE:///photos/a.jpg", "data:image/png;base64,AAAA", "#top",
    ])
  func notRemote(_ text: String) throws {
    let picture = try url(text)
    let size = PixelSize(width: 64, height: 64)
    #expect(SizedSource.imgproxy(try imgproxy(), original: picture).urls(for: size) == [picture])
    #expect(SizedSource.thumbor(Thumbor(base: try url("http://t")), original: picture).urls(for: size) == [picture])
    #expect(try imgproxy().url(for: try url("https://example.com/p.jpg"), size: .zero) == nil)
    #expect(Thumbor(base: try url("http://t")).url(for: try url("https://example.com/a/./p.jpg"), size: size) == nil)
  }

  @Test("boxes of services that crop keep their shape, those of others are rounded on each side")
  func shapes() throws {
    let picture = try url("https://example.com/p.jpg")
    let wanted = PixelSize(width: 300, height: 200)
    var one = try imgproxy()
    var other = Thumbor(base: try url("http://t"))
    #expect(SizedSource.imgproxy(one, original: picture).url(for: wanted).path.contains("/rs:fit:320:256:0/"))
    #expect(SizedSource.thumbor(other, original: picture).url(for: wanted).path.contains("/320x256/"))
    one.resizing = .fill
    other.resizing = .fill()
    #expect(SizedSource.imgproxy(one, original: picture).url(for: wanted).path.contains("/rs:fill:320:214:0/"))
    #expect(SizedSource.thumbor(other, original: picture).url(for: wanted).path.contains("/320x214/"))
  }

  @Test(
    "no option, filter, format or source can leave its place in the path or end it",
    arguments: [
      "a/b", "a?b", "a#b", "a b", "../..", "ä", "%2e%2e", "\u{0}\n", "http://[::1",
      String(repeating: "x/", count: 5_000),
    ])
  func hostileParts(_ text: String) throws {
    var one = try imgproxy()
    one.options = [text]
    one.format = text
    var other = Thumbor(base: try url("http://t"), key: SigningKey(text: "k"))
    other.filters = [text]
    let picture = try url("https://example.com/p.jpg")
    let size = PixelSize(width: 64, height: 64)
    let addresses = [
      try #require(one.url(for: picture, size: size)), try #require(other.url(for: picture, size: size)),
    ]
    for (address, segments) in zip(addresses, [5, 9]) {
      #expect(address.query == nil && address.fragment == nil)
      // The host is one; an empty segment is that of https://.
      #expect(
        address.absoluteString.dropFirst("http://".count).split(separator: "/", omittingEmptySubsequences: false)
          .count == segments, "\(address)")
    }
  }
}
