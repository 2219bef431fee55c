import Foundation
import Testing

@testable import HTTPCaching

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Where a redirect leads")
struct RedirectPolicyTests {
  private func follow(_ from: String, _ location: String, status: Int = 302) throws -> String {
    let url = try #require(URL(string: from))
    let next = try RedirectPolicy.follow(
      OutgoingRequest(URLRequest(url: url)), status: status, location: location, count: 0, limit: 10)
    return next.url.absoluteString
  }

  @Test(
    "references resolve by RFC 3986, section 5.4",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
      ("g#s", "http://a/b/c/g#s"), (";x", "http://a/b/c/;x"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
      ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("http://a/b/../g", "http://a/g"), ("g..", "http://a/b/c/g.."),
      ("./g/.", "http://a/b/c/g/"),
      ("a%2Fb", "http://a/b/c/a%2Fb"),
    ])
  func resolution(_ reference: String, _ expected: String) throws {
    #expect(try follow("http://a/b/c/d;p?q", reference) == expected)
  }

  @Test("a fragment is inherited where the Location has none (RFC 9110, section 10.2.2)")
  func fragment() throws {
    #expect(try follow("http://a/b#part", "/c") == "http://a/c#part")
    #expect(try follow("http://a/b#part", "/c#own") == "http://a/c#own")
  }

  @Test("https may not lead to http, the other way is fine")
  func downgrade() throws {
    #expect(try follow("http://a/b", "https://a/c") == "https://a/c")
    do {
      _ = try follow("https://a/b", "http://a/c")
      Issue.record("followed to http")
    } catch let error as HTTPError {
      #expect(error.code == .insecureRedirect)
    }
  }

  @Test(
    "secrets go with the origin: scheme, host and port",
    arguments: [
      ("https://a/x", true), ("https://a:443/x", true), ("https://A/x", true), ("https://a:444/x", false),
      ("https://b/x", false), ("https://sub.a/x", false),
    ])
  func secrets(_ location: String, _ isKept: Bool) throws {
    var request = URLRequest(url: try #require(URL(string: "https://a/b")))
    request.setValue("secret", forHTTPHeaderField: "Authorization")
    let next = try RedirectPolicy.follow(
      OutgoingRequest(request), status: 307, location: location, count: 0, limit: 10)
    #expect((next.headers["Authorization"] != nil) == isKept)
  }
}
