import Foundation
import HTTPCaching

/// Reading: a fresh response of 50 KB with its rules, and a thumbnail of 8 KB without its source's body.
enum Hits {
  static func run() async throws -> [Benchmark.Figure] {
    let stage = Stage(bytes: 50_000)
    let count = 2000
    try await stage.fill(0..<count)
    for number in 0..<count {
      guard let entry = try await stage.load(number, .disk).entry else { continue }
      await stage.loader.attach(Data(count: 8000), named: "thumbnail", to: entry)
      if number % 200 == 199 { await stage.loader.disk?.flush() }
    }
    var hits: [Double] = []
    var thumbnails: [Double] = []
    for _ in 0..<5 {
      await stage.restart()
      hits.append(try await cost(count) { try await stage.load($0, .disk) })
      thumbnails.append(
        await cost(count) { number in
          let found = await stage.loader.attachment(named: "thumbnail", for: stage.request(number))
          if found?.data.count != 8000 { fatalError("no thumbnail \(number)") }
        })
    }
    return [
      .init(name: "disk hit of 50 KB", value: median(hits), unit: "µs CPU", bound: 150),
      .init(name: "attachment of 8 KB", value: median(thumbnails), unit: "µs CPU"),
    ]
  }
}

/// Writing while each write makes another entry go, in a store of 1,000 and one of 100,000.
enum Writes {
  static func run() async throws -> [Benchmark.Figure] {
    let small = try await full(1000)
    let large = try await full(100_000)
    var costs: [[Double]] = [[], []]
    var next = 200_000
    for _ in 0..<7 {
      for (place, stage) in [small, large].enumerated() {
        let first = next
        costs[place].append(
          try await cost(1000) { number in
            try await stage.load(first + number, .network)
            if number % 200 == 199 { await stage.loader.disk?.flush() }
          })
        next += 1000
      }
    }
    let (one, other) = (median(costs[0]), median(costs[1]))
    return [
      .init(name: "write with eviction, 1,000 entries of 2 KB", value: one, unit: "µs CPU"),
      .init(name: "write with eviction, 100,000 entries of 2 KB", value: other, unit: "µs CPU"),
      .init(name: "the latter to the former", value: other / one, unit: "times", bound: 1.5),
    ]
  }

  private static func full(_ entries: Int) async throws -> Stage {
    let stage = Stage(bytes: 2000) { $0.maximumEntries = entries }
    try await stage.fill(0..<entries)
    return stage
  }
}

/// The first job of a process, with 100,000 entries there: opening, and one response looked up and read.
enum Opening {
  static func run() async throws -> [Benchmark.Figure] {
    let stage = Stage(bytes: 2000)
    try await stage.fill(0..<100_000)
    var cpu: [Double] = []
    var wall: [Double] = []
    for round in 0..<9 {
      await stage.restart()
      let (start, begin) = (cpuMicroseconds(), Date())
      try await stage.load(round * 11_000, .disk)
      wall.append(Date().timeIntervalSince(begin) * 1000)
      cpu.append((cpuMicroseconds() - start) / 1000)
    }
    return [
      .init(name: "opening with 100,000 entries, first hit", value: median(wall), unit: "ms", bound: 20),
      .init(name: "the same", value: median(cpu), unit: "ms CPU", bound: 20),
    ]
  }
}

/// Memory over 50,000 requests, a third of which are written and make others go.
enum Memory {
  static func run() async throws -> [Benchmark.Figure] {
    let stage = Stage(bytes: 30_000, memory: 4 << 20) { $0.budgetBytes = 60_000_000 }
    var early = 0.0
    for number in 0..<50_000 {
      _ = try await stage.loader.data(for: stage.request(number % 3 == 0 ? number : number * 7919 % 1500))
      if number == 10_000 { early = residentMB() }
    }
    await stage.loader.disk?.flush()
    let late = residentMB()
    return [
      .init(name: "memory after 10,000 requests", value: early, unit: "MB"),
      .init(name: "growth over 40,000 more", value: late - early, unit: "MB", bound: 4),
    ]
  }

  private static func residentMB() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    let number = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Double($0) }
    return (number ?? 0) / 1024
  }
}

/// Bodies in the index against bodies in files: where the lines cross, `inlineBytes` belongs.
enum Threshold {
  static func run() async throws -> [Benchmark.Figure] {
    var figures: [Benchmark.Figure] = []
    for bytes in [2000, 8000, 16_000, 32_000, 64_000] {
      for isInline in [true, false] {
        let stage = Stage(bytes: bytes) { $0.inlineBytes = isInline ? 1 << 20 : 0 }
        let write = try await cost(1) { _ in try await stage.fill(0..<1500) } / 1500
        await stage.restart()
        let reads = try await (0..<3).asyncMap { _ in try await cost(1500) { try await stage.load($0, .disk) } }
        let kind = isInline ? "index" : "file"
        figures.append(.init(name: "\(bytes / 1000) KB in the \(kind), write", value: write, unit: "µs CPU"))
        figures.append(.init(name: "\(bytes / 1000) KB in the \(kind), read", value: median(reads), unit: "µs CPU"))
      }
    }
    return figures
  }
}

extension Sequence {
  func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
