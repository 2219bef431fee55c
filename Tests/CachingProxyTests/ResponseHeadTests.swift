import Foundation
import HTTPCaching
import Testing

@testable import CachingProxy

@Suite("Response heads")
struct ResponseHeadTests {
  private func request(_ method: String = "GET", minorVersion: Int = 1, _ headers: HTTPHeaders = [:]) -> RequestHead {
    RequestHead(method: method, target: "/", minorVersion: minorVersion, headers: headers, framing: .none)
  }

  private func answer(_ status: Int, _ headers: HTTPHeaders = [:], _ body: Answer.Body) throws -> Answer {
    let url = try #require(URL(string: "http://a.test/"))
    let response = HTTPResponse(url: url, status: status, headers: headers)
    return Answer(response, body, cacheStatus: CacheStatus(), now: Date(timeIntervalSince1970: 60))
  }

  @Test(
    "a response without a date gets that of its arrival, by its age; one that has a date keeps it",
    arguments: [
      ([:], "Thu, 01 Jan 1970 00:01:00 GMT"), (["Age": "40"], "Thu, 01 Jan 1970 00:00:20 GMT"),
      (["Date": "Mon, 02 Mar 2026 00:00:00 GMT", "Age": "40"], "Mon, 02 Mar 2026 00:00:00 GMT"),
    ] as [(HTTPHeaders, String)])
  func date(_ headers: HTTPHeaders, _ expected: String) throws {
    #expect(try answer(200, headers, .data(Data())).headers["Date"] == expected)
  }

  @Test(
    "the end of a body is shown in one way (RFC 9112, section 6.3)",
    arguments: [
      ("GET", 1, 200, 5, .length(5)), ("GET", 1, 200, nil, .chunked), ("GET", 0, 200, nil, .close),
      ("GET", 0, 200, 5, .length(5)), ("HEAD", 1, 200, nil, .none), ("GET", 1, 204, nil, .none),
      ("GET", 1, 304, 0, .none), ("POST", 1, 404, 0, .length(0)),
    ] as [(String, Int, Int, Int?, ResponseHead.Framing)])
  func framing(_ method: String, _ version: Int, _ status: Int, _ length: Int?, _ framing: ResponseHead.Framing) throws
  {
    let answer = try answer(status, ["Content-Length": "99"], .stream(HTTPBody(Data()), length: length))
    let head = ResponseHead(answer, to: request(method, minorVersion: version))
    #expect(head.framing == framing)
    let text = String(decoding: head.data, as: UTF8.self)
    #expect(text.contains("Transfer-Encoding: chunked\r\n") == (framing == .chunked))
    if case .length(let length) = framing { #expect(text.contains("Content-Length: \(length)\r\n")) }
    #expect(head.keepsAlive == (version == 1))
  }

  @Test("a value of the origin never becomes two lines", arguments: ["a\rb", "a\nb", "a\r\nb: c", "a\0b"])
  func splitting(_ value: String) throws {
    let answer = try answer(200, ["X": value], .data(Data()))
    let text = String(decoding: ResponseHead(answer, to: request()).data, as: UTF8.self)
    let lines = text.replacingOccurrences(of: "\r\n", with: "|")
    #expect(!lines.unicodeScalars.contains { $0 == "\r" || $0 == "\n" || $0 == "\0" })
    #expect(lines.contains("|X: a "))
  }
}
