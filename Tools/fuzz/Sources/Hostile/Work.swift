import Checks
import Foundation
import ImageCodecs

/// A part of the suite, which one process does.
enum Work {
  case cutStills(ImageFormat)
  case cutAnimations(ImageFormat)
  case flippedStills(ImageFormat)
  case flippedAnimations(ImageFormat)
  case bomb(Int)

  private static let animated: [ImageFormat] = [.gif, .png, .webp, .jxl]

  /// Bytes of address space beside what a process has at its start. With the bounds that cases have they need far less.
  private static let memory = 512 << 20
  /// Bombs are decoded with the limits that everybody has: a canvas of 100 million pixels may be mapped.
  private static let memoryOfBombs = 3 << 30

  var name: String {
    switch self {
    case .cutStills(let format): "stills:\(format)"
    case .cutAnimations(let format): "animations:\(format)"
    case .flippedStills(let format): "flips:\(format)"
    case .flippedAnimations(let format): "flips-of-frames:\(format)"
    case .bomb(let number): "bomb:\(number)"
    }
  }

  static func all(_ fixtures: Fixtures) throws -> [Work] {
    ImageFormat.allCases.map { .cutStills($0) } + animated.map { .cutAnimations($0) }
      + ImageFormat.allCases.map { .flippedStills($0) } + animated.map { .flippedAnimations($0) }
      + (try Bomb.all(fixtures.read).indices.map { .bomb($0) })
  }

  /// Those whose name begins with `name`.
  static func matching(_ name: String, _ fixtures: Fixtures) throws -> [Work] {
    try all(fixtures).filter { $0.name.hasPrefix(name) }
  }

  static func named(_ name: String) throws -> Work {
    let parts = name.split(separator: ":").map(String.init)
    let format = ImageFormat(rawValue: parts.last ?? "")
    switch (parts.first, format) {
    case ("stills", let format?): return .cutStills(format)
    case ("animations", let format?): return .cutAnimations(format)
    case ("flips", let format?): return .flippedStills(format)
    case ("flips-of-frames", let format?): return .flippedAnimations(format)
    case ("bomb", nil): return .bomb(Int(parts.last ?? "") ?? 0)
    default: fatalError("no part is called \(name)")
    }
  }

  func run(_ fixtures: Fixtures) throws {
    switch self {
    case .cutStills(let format): try Self.within(Self.memory) { Cuts($0).stills(try fixtures.files(format)) }
    case .cutAnimations(let format):
      try Self.within(Self.memory) { Cuts($0).animations(try fixtures.animations(format)) }
    case .flippedStills(let format): try Self.within(Self.memory) { Flips($0).stills(try fixtures.files(format)) }
    case .flippedAnimations(let format):
      try Self.within(Self.memory) { Flips($0).animations(try fixtures.animations(format)) }
    case .bomb(let number):
      let bomb = try Bomb.all(fixtures.read)[number]
      Self.within(Self.memoryOfBombs) { Explosion($0).set(off: bomb) }
    }
  }

  private static func within(_ bytes: Int, _ work: (Record) throws -> Void) rethrows {
    Record.limitMemory(to: bytes)
    let record = Record()
    try work(record)
    record.finish()
  }
}
