import Foundation
import Testing

@testable import EaselGTK

@Suite("Addresses for the desktop")
struct SystemAddressTests {
  @Test(
    "pages and letters are handed on",
    arguments: [
      "https://example.com/a?b=c#d", "HTTP://127.0.0.1:8080/", "mailto:someone@example.com",
      "mailto:a@example.com?subject=Hello&body=There&cc=b@example.com",
    ])
  func handsOn(address: String) throws {
    #expect(SystemAddress.refusal(of: try #require(URL(string: address))) == nil)
  }

  @Test(
    "what would run something else is not",
    arguments: [
      "file:///etc/passwd", "javascript:alert(1)", "data:text/html,hello", "smb://host/share", "vscode://x",
      "/etc/passwd",
      "https:", "https:///path", "mailto:a@example.com?attach=/etc/passwd",
      "mailto:a@example.com?subject=x&ATTACHMENT=%2Fetc%2Fpasswd", "ftp://example.com/",
    ])
  func refuses(address: String) throws {
    #expect(SystemAddress.refusal(of: try #require(URL(string: address))) != nil)
  }

  @Test("an address without end is neither opened nor printed whole")
  func bounded() throws {
    let url = try #require(URL(string: "https://example.com/" + String(repeating: "a", count: 40_000)))
    #expect(SystemAddress.refusal(of: url) == "it is longer than 32768 bytes")
    #expect(SystemAddress.shown(url).count == 200)
  }
}
