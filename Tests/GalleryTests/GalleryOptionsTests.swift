import Foundation
import GalleryApp
import Testing

@Suite("The gallery's command line")
struct GalleryOptionsTests {
  @Test("every option is read")
  func all() throws {
    let options = try GalleryOptions(parsing: [
      "--headless", "--output", "/tmp/out", "--api", "http://127.0.0.1:8080/api/", "--rows", "7",
    ])
    #expect(options.isHeadless)
    #expect(options.output.path == "/tmp/out")
    #expect(options.api == URL(string: "http://127.0.0.1:8080/api"))
    #expect(options.rows == 7)
  }

  @Test("without options there are 25 rows and the embedded server")
  func defaults() throws {
    let options = try GalleryOptions(parsing: [])
    #expect(options.rows == 25)
    #expect(options.api == nil)
    #expect(!options.wantsHelp)
  }

  @Test(
    "a wrong command line says what is wrong",
    arguments: [
      (["--row", "3"], "Unknown option: --row"),
      (["--rows"], "--rows needs a value"),
      (["--rows", "0"], "--rows needs a whole number from 1 to 10000, not \"0\""),
      (
        ["--rows", "99999999999999999999"], "--rows needs a whole number from 1 to 10000, not \"99999999999999999999\""
      ),
      (["--output", ""], "--output needs a value"),
      (["--api", "ftp://example.com"], "--api needs an http or https address, not \"ftp://example.com\""),
      (["--api", "nonsense"], "--api needs an http or https address, not \"nonsense\""),
    ])
  func usage(arguments: [String], message: String) {
    #expect(throws: GalleryOptions.Usage(message: message)) { try GalleryOptions(parsing: arguments) }
  }

  @Test("the help names every option")
  func help() {
    for option in ["--headless", "--output", "--api", "--rows", "--help"] {
      #expect(GalleryOptions.help.contains("  \(option)"), "\(option) is not explained")
    }
  }
}
