import Foundation
import Testing

@Suite("The command line", .serialized, .timeLimit(.minutes(2)))
struct UsageTests {
  @Test(
    "help is printed and the command succeeds",
    arguments: [
      ["--help"], ["-h"], ["load", "--help"], ["convert", "--help"], ["hash", "--help"], ["probe", "--help"],
      ["cache", "--help"], ["bench", "--help"],
      ["load", "-h"], ["cache", "list", "-h"],
      ["load", "a.png", "--help"],
    ])
  func help(_ arguments: [String]) async throws {
    let result = try await Tool.run(arguments)
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("Usage: vignette"))
    #expect(result.errors == "")
  }

  @Test("the help of load lists every option")
  func loadHelp() async throws {
    let help = try await Tool.run(["load", "--help"]).output
    for option in [
      "size WxH", "mode fit|fill", "scale S", "full", "output FILE|DIR", "header 'K: V'", "timeout S", "cache DIR",
      "policy default|reload|offline", "json",
    ] {
      #expect(help.contains("--\(option) "))
    }
  }

  @Test("the version is printed")
  func version() async throws {
    let result = try await Tool.run(["--version"])
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("vignette "))
    #expect(result.lines.count == 1)
  }

  #if canImport(Darwin)
    static let wrongOnLinux: [([String], String)] = []
  #else
    static let wrongOnLinux: [([String], String)] = [
      (["load", "a", "--ca", "/nowhere/ca.pem"], "/nowhere/ca.pem"),
      (["probe", "a", "--ca", "/"], "--ca"),
      (["load", "a", "--ca", "/dev/null"], "regular file"),
      (["bench", "thumbnails", "urls", "2x2", "--ca", "/bin/sh"], "PEM"),
      (["load", "a", "--ca"], "--ca"),
      (["load", "a", "--public-only=no"], "takes no value"),
    ]
  #endif

  static let wrong: [([String], String)] = [
    ([], "nothing to do"),
    ([""], "no command"),
    (["paint"], "paint"),
    (["--json"], "--json"),
    (["load"], "SOURCE"),
    (["load", ""], "empty"),
    (["load", "a", "--colour"], "--colour"),
    (["load", "a", "-x"], "-x"),
    (["load", "a", "--size"], "--size"),
    (["load", "a", "--size", ""], "400x300"),
    (["load", "a", "--size", "400"], "400x300"),
    (["load", "a", "--size", "400x"], "400x300"),
    (["load", "a", "--size", "x300"], "400x300"),
    (["load", "a", "--size", "1x2x3"], "400x300"),
    (["load", "a", "--size", "4.5x3"], "400x300"),
    (["load", "a", "--size", "nanxnan"], "400x300"),
    (["load", "a", "--size", "-4x3"], "between"),
    (["load", "a", "--size=0x0"], "between"),
    (["load", "a", "--size", "1000001x1"], "between"),
    (["load", "a", "--size", "99999999999999999999x1"], "400x300"),
    (["load", "a", "--size", "4x3", "--mode", "stretch"], "fit or fill"),
    (["load", "a", "--mode", "fit"], "--size"),
    (["load", "a", "--scale", "2"], "--size"),
    (["load", "a", "--size", "4x3", "--full"], "--full"),
    (["load", "a", "--full=yes"], "takes no value"),
    (["load", "a", "--size", "4x3", "--scale", "nan"], "--scale"),
    (["load", "a", "--size", "4x3", "--scale", "-1"], "--scale"),
    (["load", "a", "--size", "4x3", "--scale", "0"], "--scale"),
    (["load", "a", "--size", "4x3", "--scale", "inf"], "--scale"),
    (["load", "a", "--size", "4x3", "--scale", "1e9"], "--scale"),
    (["load", "a", "--timeout", "nan"], "--timeout"),
    (["load", "a", "--timeout", "-5"], "--timeout"),
    (["load", "a", "--timeout", "soon"], "--timeout"),
    (["load", "a", "--header", "no colon"], "--header"),
    (["load", "a", "--header", ": value"], "--header"),
    (["load", "a", "--header", "A: b\r\nC: d"], "--header"),
    (["load", "a", "--cache", ""], "--cache"),
    (["load", "a", "--policy", "never"], "default, reload or offline"),
    (["load", "a", "--policy"], "--policy"),
    (["load", "a", "--output", ""], "--output"),
    (["load", "a", "--output", "picture.gif"], ".gif"),
    (["load", "a", "b", "--output", "picture.png"], "one SOURCE"),
    (["convert", "--output", "o.png"], "one FILE"),
    (["convert", "a", "b", "--output", "o.png"], "one FILE"),
    (["convert", "", "--output", "o.png"], "empty"),
    (["convert", "a"], "--output FILE"),
    (["convert", "a", "--output", ""], "--output"),
    (["convert", "a", "--output", "o"], ".webp"),
    (["convert", "a", "--output", "o.gif"], ".gif"),
    (["convert", "a", "--output", "o.png/"], "directory"),
    (["convert", "a", "--output", "/"], "directory"),
    (["convert", "a", "--output", "o.png", "--quality", "50"], "--quality"),
    (["convert", "a", "--output", "o.jpg", "--quality", "0"], "1 to 100"),
    (["convert", "a", "--output", "o.jpg", "--quality", "101"], "1 to 100"),
    (["convert", "a", "--output", "o.webp", "--quality", "8.5"], "1 to 100"),
    (["convert", "a", "--output", "o.jpg", "--size", "4"], "400x300"),
    (["convert", "a", "--output", "o.jpg", "--mode", "fill"], "--size"),
    (["convert", "a", "--output", "o.jpg", "--full"], "--full"),
    (["hash"], "one FILE"),
    (["hash", ""], "empty"),
    (["hash", "a", "b"], "one FILE"),
    (["hash", "a", "--size", "4x3"], "--size"),
    (["probe"], "one FILE"),
    (["probe", ""], "empty"),
    (["probe", "a", "b"], "one FILE"),
    (["probe", "a", "--size", "4x3"], "--size"),
    (["cache"], "cache list, cache info"),
    (["cache", "empty", "--cache", "a"], "cache clear"),
    (["cache", "list", "info", "--cache", "a"], "cache list"),
    (["cache", "list"], "--cache DIR"),
    (["cache", "clear", "--cache", ""], "--cache"),
    (["cache", "clear", "--cache", "a", "--to", "5MB"], "cache trim"),
    (["cache", "trim", "--cache", "a"], "--older-than"),
    (["cache", "trim", "--cache", "a", "--to", "lots"], "200MB"),
    (["cache", "trim", "--cache", "a", "--to", "-1"], "200MB"),
    (["cache", "trim", "--cache", "a", "--to", "1e9"], "200MB"),
    (["cache", "trim", "--cache", "a", "--to", "5mb"], "200MB"),
    (["cache", "trim", "--cache", "a", "--to", "9999999GB"], "200MB"),
    (["cache", "trim", "--cache", "a", "--older-than", "7"], "7d"),
    (["cache", "trim", "--cache", "a", "--older-than", "7y"], "7d"),
    (["cache", "trim", "--cache", "a", "--older-than", "nand"], "7d"),
    (["cache", "trim", "--cache", "a", "--older-than", "99999999999w"], "7d"),
  ]

  @Test("wrong usage names the fault, points at the help and exits with 2", arguments: wrong + wrongOnLinux)
  func usage(_ arguments: [String], _ fault: String) async throws {
    let result = try await Tool.run(arguments)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.errors.contains(fault), "\(result.errors)")
    #expect(result.errors.contains("--help"))
  }
}
