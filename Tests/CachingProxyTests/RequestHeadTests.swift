import Foundation
import HTTPCaching
import Testing

@testable import CachingProxy

@Suite("Request heads")
struct RequestHeadTests {
  private func parse(_ text: String) -> Result<RequestHead, RequestFault> {
    Result { () throws(RequestFault) in try RequestHead(Array(text.utf8)[...]) }
  }

  @Test("method, target, version and fields are read, in order and repeated")
  func fields() throws {
    let head = try parse("M-SEARCH /a?b HTTP/1.1\r\nHost: a\r\nX-A: 1 \r\nX-B:\t2\r\nx-a:3\r\nEmpty:\r\n").get()
    #expect(head.method == "M-SEARCH")
    #expect(head.target == "/a?b")
    #expect(head.minorVersion == 1)
    #expect(head.headers.map { "\($0.name)=\($0.value)" } == ["Host=a", "X-A=1", "X-B=2", "x-a=3", "Empty="])
    #expect(head.framing == .none)
  }

  @Test(
    "the end of the body is found in one way only (RFC 9112, section 6.3)",
    arguments: [
      ("Content-Length: 0\r\n", RequestHead.Framing.length(0)), ("Content-Length: 00012\r\n", .length(12)),
      ("Content-Length: 99999999999999999999\r\n", .length(.max)), ("Transfer-Encoding: chunked\r\n", .chunked),
      ("Transfer-Encoding:  CHUNKED \r\n", .chunked), ("", .none),
    ])
  func framing(_ fields: String, _ framing: RequestHead.Framing) throws {
    #expect(try parse("POST / HTTP/1.1\r\nHost: a\r\n\(fields)").get().framing == framing)
  }

  static let faults: [(String, Int)] = [
    // Two lengths, or a length and a coding, are how requests are smuggled.
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n", 400),
    // Tokens have no blanks inside, and their case is that of ASCII: U+212A is no “k”.
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chun ked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: c h\tunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chun\u{212A}ed\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gz ip, chunked\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked;q=1\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked,\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
    ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n", 400),
    // Lines that others read otherwise.
    ("GET / HTTP/1.1\nHost: a\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n", 400),
    ("GET / HTTP/1.1\r\nHost : a\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{7}\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nNo colon\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n: empty\r\n", 400),
    // Request lines.
    ("GET  / HTTP/1.1\r\nHost: a\r\n", 400), ("GET /\r\nHost: a\r\n", 400), ("/ HTTP/1.1\r\nHost: a\r\n", 400),
    ("G(T / HTTP/1.1\r\nHost: a\r\n", 400), ("GET /# HTTP/1.1\r\nHost: a\r\n", 400),
    ("GET /ü HTTP/1.1\r\nHost: a\r\n", 400), ("GET / HTTP/2.0\r\nHost: a\r\n", 505),
    ("GET / HTTP/1.x\r\nHost: a\r\n", 400), ("GET / HTTPS/1.1\r\nHost: a\r\n", 400), ("", 400),
    // RFC 9112, section 3.2.
    ("GET / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a b\r\n", 400), ("GET / HTTP/1.1\r\nHost: a@b\r\n", 400),
  ]

  @Test("what can be read in two ways is refused", arguments: faults)
  func fault(_ text: String, _ status: Int) {
    guard case .failure(let fault) = parse(text) else { return #expect(Bool(false), "accepted") }
    #expect(fault.status == status)
  }

  @Test("a head has a limit of fields, below that of its bytes")
  func fieldCount() throws {
    func text(_ count: Int) -> String {
      "GET / HTTP/1.1\r\nHost: a\r\n" + (1..<count).map { "X\($0):\r\n" }.joined()
    }
    #expect(try parse(text(256)).get().headers.fields.count == 256)
    guard case .failure(let fault) = parse(text(257)) else { return #expect(Bool(false), "accepted") }
    #expect(fault.status == 431)
  }

  @Test("a value that is not UTF-8 could not be passed on, and is refused")
  func latin() {
    let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xE4] + Array("\r\n".utf8)
    #expect(throws: RequestFault(400, "A header value is not UTF-8.")) { try RequestHead(bytes[...]) }
  }

  @Test(
    "a connection is kept by its version and its fields (RFC 9112, section 9.3)",
    arguments: [
      ("1.1", "", true), ("1.1", "Connection: close\r\n", false), ("1.1", "Connection: x, Close\r\n", false),
      ("1.0", "", false), ("1.0", "Connection: keep-alive\r\n", true),
      ("1.0", "Connection: keep-alive, close\r\n", false),
    ])
  func keepAlive(_ version: String, _ field: String, _ keeps: Bool) throws {
    #expect(try parse("GET / HTTP/\(version)\r\nHost: a\r\n\(field)").get().keepsAlive == keeps)
  }

  @Test(
    "the path of a target in any form",
    arguments: [
      ("/a?b", "/a?b"), ("http://other.test/a?b", "/a?b"), ("http://other.test", "/"), ("http://other.test?q", "/?q"),
      ("*", nil), ("other.test:80", nil), ("/http://x", "/http://x"),
    ] as [(String, String?)])
  func path(_ target: String, _ path: String?) throws {
    #expect(try parse("GET \(target) HTTP/1.1\r\nHost: a\r\n").get().path == path)
  }
}

@Suite("Chunked bodies")
struct ChunkedDecoderTests {
  private func decode(_ text: String, by step: Int) throws -> (String, rest: String, isDone: Bool) {
    var decoder = ChunkedDecoder()
    var body: [UInt8] = []
    var rest: ArraySlice<UInt8> = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      rest += bytes[start..<min(start + step, bytes.count)]
      try decoder.consume(&rest) { body += $0 }
    }
    return (String(decoding: body, as: UTF8.self), String(decoding: rest, as: UTF8.self), decoder.isDone)
  }

  @Test("a body is the same however it is cut, and what follows it stays", arguments: 1...20)
  func cuts(_ step: Int) throws {
    let text = "5\r\nhello\r\nA;x=\"y\"\r\n, 0123456 \r\n1 ; q\r\n!\r\n0\r\nTrailer: x\r\n\r\nGET /"
    let (body, rest, isDone) = try decode(text, by: step)
    #expect(body == "hello, 0123456 !")
    #expect(rest == "GET /")
    #expect(isDone)
  }

  @Test(
    "what is no chunk is refused",
    arguments: [
      "x\r\n", "\r\n", "-1\r\n", "0x5\r\nhello", "5\nhello", "5\r\nhello!\r\n", "5 5\r\n", "5\r\r\n", "+5\r\n",
      "FFFFFFFFFFFFFFFFF\r\n", "5;" + String(repeating: "x", count: 5000),
      "0\r\n" + String(repeating: "A: \(String(repeating: "b", count: 1000))\r\n", count: 20),
    ], [1, 7, 100_000])
  func faults(_ text: String, _ step: Int) {
    #expect(throws: RequestFault.self) { try decode(text, by: step) }
  }

  @Test("a body that is cut short is not done")
  func short() throws {
    #expect(try !decode("5\r\nhel", by: 3).isDone)
    #expect(try !decode("5\r\nhello\r\n0\r\n", by: 3).isDone)
  }
}
