import Foundation

/// Decodes files that were cut and changed in hundreds of thousands of ways, and bombs, and says what the worst of them
/// cost. See `usage`.
@main
enum Hostile {
  static let usage = """
    usage: hostile [--fixtures FOLDER] [--part NAME]...
           hostile [--fixtures FOLDER] --write FOLDER

    Parts are stills, animations and flips of each format, and bombs; without --part all of them run. Each runs in a process
    of its own whose address space is limited, and in which a case may take two seconds of processor time.
    --write puts the bombs into a folder, to be looked at with other programs.
    exit status: 0 nothing found; 1 a crash, a case that took too long or too much memory, a part of a picture
    that passed for the whole, or a bomb that is not refused; 2 wrong command line.
    """

  static func main() throws {
    var folder = "Tests/ImageCodecsTests/Fixtures"
    var names: [String] = []
    var work: String?
    var target: String?
    var arguments = CommandLine.arguments.dropFirst().makeIterator()
    while let argument = arguments.next() {
      switch (argument, arguments.next()) {
      case ("--fixtures", let value?): folder = value
      case ("--write", let value?): target = value
      case ("--part", let value?): names.append(value)
      // What a process started by this one is to do.
      case ("--work", let value?): work = value
      default:
        print(usage)
        exit(argument == "--help" ? 0 : 2)
      }
    }
    let fixtures = Fixtures(folder: URL(fileURLWithPath: folder))
    if let work {
      try Work.named(work).run(fixtures)
    } else if let target {
      for (number, bomb) in try Bomb.all(fixtures.read).enumerated() {
        try bomb.data.write(to: URL(fileURLWithPath: target).appendingPathComponent("bomb-\(number)"))
      }
    } else {
      let parts = names.isEmpty ? try Work.all(fixtures) : try names.flatMap { try Work.matching($0, fixtures) }
      exit(Report(folder: folder).run(parts) ? 0 : 1)
    }
  }
}
