import Foundation
import Testing

@testable import HTTPCaching

@Suite("RFC 9110, section 14, and RFC 9111, sections 3.3 and 3.4: parts")
struct PartTests {
  @Test(
    "14.4: Content-Range says which bytes, and of how many",
    arguments: [
      ("bytes 0-99/1234", 0..<100, 1234), ("bytes 1233-1233/1234", 1233..<1234, 1234), ("BYTES 5-9/10", 5..<10, 10),
      ("bytes 0-99/*", 0..<100, nil), ("bytes 0-0/1", 0..<1, 1),
      ("bytes 0-9223372036854775805/9223372036854775806", 0..<Int.max - 1, Int.max - 1),
    ] as [(String, Range<Int>, Int?)])
  func contentRange(_ text: String, _ bytes: Range<Int>, _ total: Int?) {
    let range = ContentRange(text)
    #expect(range?.bytes == bytes && range?.total == total)
  }

  @Test(
    "14.4: what contradicts itself or names no bytes is no range",
    arguments: [
      "", "bytes", "bytes */1234", "bytes 0-99", "bytes 99-0/1234", "bytes 0-1234/1234", "bytes 0-99/50",
      "bytes -99/1234", "bytes 0-/1234", "bytes 0-99/", "bytes 0-99/x", "items 0-99/1234",
      "bytes 0-99/1234, bytes 0-1/2",
      "bytes=0-99/1234", "bytes 0-99/1234/5", "bytes 0-9-9/1234", "bytes +0-9/10",
      "bytes 99999999999999999999-99999999999999999999/99999999999999999999",
    ])
  func noContentRange(_ text: String) { #expect(ContentRange(text) == nil) }

  private static let secondBefore = "Sun, 06 Nov 1994 08:49:36 GMT"

  @Test(
    "8.8: what proves that bytes are of one body",
    arguments: [
      (["ETag": "\"a\""], .tag("\"a\"")), (["ETag": "\"\""], .tag("\"\"")), (["ETag": "W/\"a\""], nil),
      (["ETag": "a"], nil), (["ETag": "\""], nil), ([:], nil),
      (["Last-Modified": secondBefore, "Date": Rules.date], .date(secondBefore)),
      // 8.8.2.2: it could have changed twice within the second.
      (["Last-Modified": Rules.date, "Date": Rules.date], nil), (["Last-Modified": secondBefore], nil),
      (["Last-Modified": "x", "Date": Rules.date], nil), (["Last-Modified": Rules.date, "Date": secondBefore], nil),
      // 13.1.5: no date where there is a tag.
      (["ETag": "W/\"a\"", "Last-Modified": secondBefore, "Date": Rules.date], nil),
      (["ETag": "\"a\"", "Last-Modified": secondBefore, "Date": Rules.date], .tag("\"a\"")),
      (["ETag": "\"a\"", "etag": "\"b\""], nil),
    ] as [(HTTPHeaders, StrongValidator?)])
  func validators(_ headers: HTTPHeaders, _ expected: StrongValidator?) {
    #expect(StrongValidator(Rules.response(headers)) == expected)
  }

  @Test(
    "the bytes of a response have a place where a server that serves ranges sends them as they are, and says how many",
    arguments: [
      (200, ["Content-Length": "10", "Accept-Ranges": "bytes"], 0..<10, 10),
      (200, ["Content-Length": "10", "Accept-Ranges": "other, Bytes"], 0..<10, 10),
      (200, ["Content-Length": "10", "Accept-Ranges": "bytes", "Content-Encoding": "identity"], 0..<10, 10),
      (206, ["Content-Length": "4", "Content-Range": "bytes 2-5/10"], 2..<6, 10),
    ] as [(Int, HTTPHeaders, Range<Int>, Int)])
  func places(_ status: Int, _ headers: HTTPHeaders, _ bytes: Range<Int>, _ total: Int) {
    let place = BodyPlace(Rules.response(headers, status: status))
    #expect(place?.bytes == bytes && place?.total == total)
  }

  @Test(
    "bytes without a place",
    arguments: [
      (200, ["Content-Length": "10"]), (200, ["Content-Length": "10", "Accept-Ranges": "none"]),
      (200, ["Accept-Ranges": "bytes"]), (200, ["Content-Length": "x", "Accept-Ranges": "bytes"]),
      (200, ["Content-Length": "10", "Accept-Ranges": "bytes", "Content-Encoding": "gzip"]),
      (200, ["Content-Length": "10", "Accept-Ranges": "bytes", "Transfer-Encoding": "chunked"]),
      (404, ["Content-Length": "10", "Accept-Ranges": "bytes"]),
      (206, ["Content-Length": "10", "Content-Type": "multipart/byteranges; boundary=x"]),
      (206, ["Content-Length": "3", "Content-Range": "bytes 2-5/10"]), (206, ["Content-Range": "bytes 2-5/10"]),
      (206, ["Content-Length": "4", "Content-Range": "bytes 2-5/*"]),
      (206, ["Content-Length": "4", "Content-Range": "bytes 2-5/10", "Content-Encoding": "gzip"]),
    ] as [(Int, HTTPHeaders)])
  func noPlaces(_ status: Int, _ headers: HTTPHeaders) {
    #expect(BodyPlace(Rules.response(headers, status: status)) == nil)
  }

  private static let headers: HTTPHeaders = [
    "ETag": "\"a\"", "Accept-Ranges": "bytes", "Content-Length": "10", "Cache-Control": "max-age=60",
  ]

  private func part(
    _ headers: HTTPHeaders = headers, _ request: HTTPHeaders = [:], status: Int = 200, method: String = "GET",
    _ data: Data = Data("0123".utf8)
  ) -> PartialResponse? {
    Rules.strict.part(
      Rules.query(request, method: method), Rules.response(headers, status: status), data, requested: Rules.epoch,
      received: Rules.epoch)
  }

  private func changed(_ name: String, _ value: String?) -> HTTPHeaders {
    var headers = Self.headers
    headers[name] = value
    return headers
  }

  @Test("3.3: a part is kept with the head of the whole that it belongs to")
  func keeping() throws {
    let beginning = try #require(part())
    #expect(beginning.body.prefix == Data("0123".utf8) && beginning.body.total == 10)
    #expect(beginning.head.response.status == 200 && beginning.head.bodyLength == 10)
    var headers = changed("Content-Range", "bytes 3-6/10")
    headers["Content-Length"] = "4"
    let middle = try #require(part(headers, ["Range": "bytes=3-6"], status: 206))
    #expect(middle.body.pieces == [.init(start: 3, data: Data("0123".utf8))])
    #expect(middle.head.response.status == 200 && middle.head.response.headers["Content-Range"] == nil)
    #expect(middle.head.response.headers["Content-Length"] == "10" && middle.validator == .tag("\"a\""))
  }

  @Test("3.3: no part is kept of what may not be stored, or could not be told from another body")
  func notKeeping() {
    #expect(part() != nil)
    #expect(part(changed("Cache-Control", "no-store")) == nil)
    #expect(part(changed("Vary", "*")) == nil)
    #expect(part(changed("ETag", "W/\"a\"")) == nil)
    #expect(part(changed("ETag", nil)) == nil)
    #expect(part(changed("Accept-Ranges", nil)) == nil)
    #expect(part(Self.headers, ["Cache-Control": "no-store"]) == nil)
    for method in ["POST", "HEAD"] { #expect(part(method: method) == nil) }
    #expect(part(Self.headers, [:], Data("more than ten bytes".utf8)) == nil)
  }

  @Test("3.4: parts of one body combine, and the later fields replace the earlier")
  func combining() throws {
    var first = try #require(part())
    var headers: HTTPHeaders = [
      "ETag": "\"a\"", "Content-Range": "bytes 4-9/10", "Content-Length": "6", "Cache-Control": "max-age=99",
    ]
    let rest = try #require(part(headers, status: 206, Data("456789".utf8)))
    #expect(first.whole == nil)
    let isCombined = first.combine(rest)
    #expect(isCombined)
    #expect(first.whole?.data == Data("0123456789".utf8))
    #expect(first.head.response.headers["Cache-Control"] == "max-age=99")
    #expect(first.head.response.headers["Content-Length"] == "10")
    headers["ETag"] = "\"b\""
    let otherTag = try #require(part(headers, status: 206, Data("456789".utf8)))
    headers["ETag"] = "\"a\""
    headers["Content-Range"] = "bytes 4-9/11"
    let otherTotal = try #require(part(headers, status: 206, Data("456789".utf8)))
    var untouched = try #require(part())
    for other in [otherTag, otherTotal] {
      let isCombined = untouched.combine(other)
      #expect(!isCombined)
    }
    #expect(untouched.body.prefix == Data("0123".utf8))
  }

  @Test(
    "14.2: parts answer the ranges that they hold, and know what lies outside",
    arguments: [
      ("bytes=2-5", [:], 206, "2345", "bytes 2-5/10"), ("bytes=3-4", [:], 206, "34", "bytes 3-4/10"),
      ("bytes=8-", [:], 206, "89", "bytes 8-9/10"), ("bytes=-2", [:], 206, "89", "bytes 8-9/10"),
      ("bytes=10-", [:], 416, "", "bytes */10"), ("bytes=-0", [:], 416, "", "bytes */10"),
      ("bytes=2-5", ["If-Range": "\"a\""], 206, "2345", "bytes 2-5/10"),
      ("bytes=2-5", ["If-None-Match": "\"a\""], 304, "", nil),
      ("bytes=2-5", ["If-Range": "\"b\""], nil, "", nil), ("bytes=1-5", [:], nil, "", nil),
      ("bytes=2-6", [:], nil, "", nil), ("bytes=2-", [:], nil, "", nil), ("bytes=2-8", [:], nil, "", nil),
      ("bytes=-3", [:], nil, "", nil), ("bytes=2-3,4-5", [:], nil, "", nil), ("items=2-3", [:], nil, "", nil),
    ] as [(String, HTTPHeaders, Int?, String, String?)])
  func answers(_ range: String, _ more: HTTPHeaders, _ status: Int?, _ body: String, _ contentRange: String?) {
    var stored = PartialBody(total: 10)
    stored.insert(Data("2345".utf8), at: 2)
    stored.insert(Data("89".utf8), at: 8)
    let request = HTTPHeaders(more.fields + [.init(name: "Range", value: range)])
    let answer = StoredAnswer.make(Rules.query(request), Rules.response(Self.headers), stored)
    #expect(answer?.0.status == status && answer?.1 == status.map { _ in Data(body.utf8) })
    #expect(answer?.0.headers["Content-Range"] == contentRange)
  }
}

@Suite("RFC 9110, sections 13.1.5 and 14.2: going on with a body")
struct ResumptionRuleTests {
  private func beginning(_ headers: HTTPHeaders = ["ETag": "\"a\""]) throws -> PartialResponse {
    let base: HTTPHeaders = ["Accept-Ranges": "bytes", "Content-Length": "10"]
    let response = Rules.response(HTTPHeaders(base.fields + headers.fields))
    return try #require(
      Rules.strict.part(
        Rules.query(), response, Data("0123".utf8), requested: Rules.epoch, received: Rules.epoch))
  }

  @Test("what is missing is asked for, on condition that it is of the same body")
  func fields() throws {
    #expect(Resumption.fields(for: try beginning()) == ["Range": "bytes=4-", "If-Range": "\"a\""])
    let modified = "Sat, 05 Nov 1994 08:49:37 GMT"
    let dated = try beginning(["Last-Modified": modified, "Date": Rules.date])
    #expect(Resumption.fields(for: dated) == ["Range": "bytes=4-", "If-Range": modified])
  }

  @Test(
    "only the very rest of the very body is taken",
    arguments: [
      (206, "\"a\"", "bytes 4-9/10", "6", .rest), (206, "\"b\"", "bytes 4-9/10", "6", .restart),
      (206, "W/\"a\"", "bytes 4-9/10", "6", .restart), (206, nil, "bytes 4-9/10", "6", .restart),
      (206, "\"a\"", "bytes 3-9/10", "7", .restart), (206, "\"a\"", "bytes 5-9/10", "5", .restart),
      (206, "\"a\"", "bytes 4-8/10", "5", .restart), (206, "\"a\"", "bytes 4-9/11", "6", .restart),
      (206, "\"a\"", "bytes 4-10/11", "7", .restart), (206, "\"a\"", "bytes 4-9/*", "6", .restart),
      (206, "\"a\"", "bytes 4-9/10", "7", .restart), (206, "\"a\"", nil, "6", .restart),
      (206, "\"a\"", "bytes 4-9/10", nil, .restart), (206, "\"a\"", "bytes 0-9/10", "10", .restart),
      (416, "\"a\"", "bytes */4", "0", .restart), (200, "\"a\"", nil, "10", .other), (200, "\"b\"", nil, "9", .other),
      (304, "\"a\"", nil, nil, .other), (404, nil, nil, "0", .other), (503, nil, nil, "0", .other),
    ] as [(Int, String?, String?, String?, Resumption.Answer)])
  func judging(_ status: Int, _ tag: String?, _ range: String?, _ length: String?, _ expected: Resumption.Answer) throws
  {
    var headers = HTTPHeaders()
    headers["ETag"] = tag
    headers["Content-Range"] = range
    headers["Content-Length"] = length
    #expect(Resumption.judge(Rules.response(headers, status: status), to: try beginning()) == expected)
  }

  @Test("a body is gone on with where the way to it failed, not where it is wrong itself")
  func causes() {
    let follow: [HTTPError.Code] = [.reset, .timedOut, .offline, .hostNotFound, .refused, .truncatedBody]
    for code in follow { #expect(Resumption.mayFollow(HTTPError(code, ""))) }
    for code in [.bodyTooLarge, .protocolError, .tls] as [HTTPError.Code] {
      #expect(!Resumption.mayFollow(HTTPError(code, "")))
    }
    #expect(Resumption.mayFollow(CancellationError()))
    #expect(!Resumption.mayFollow(CocoaError(.fileNoSuchFile)))
  }
}
