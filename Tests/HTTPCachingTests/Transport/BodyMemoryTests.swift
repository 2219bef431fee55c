import Foundation
import Testing

@testable import HTTPCaching

@Suite("Memory of bodies", .timeLimit(.minutes(5)))
struct BodyMemoryTests {
  private let memory = BodyMemory()

  @Test("a block that was given back is taken again by one of its size, or slightly less")
  func reuse() throws {
    memory.enter()
    defer { memory.leave() }
    let block = try #require(memory.take(80_000))
    memory.giveBack(block)
    let again = try #require(memory.take(72_000))
    #expect(again.base == block.base)
    #expect(again.capacity == 80_000)
    memory.giveBack(again)
    let smaller = try #require(memory.take(60_000))
    #expect(smaller.base != block.base && smaller.capacity == 60_000)
    memory.giveBack(smaller)
  }

  @Test("nothing is kept beyond the limit, nor when nobody gathers")
  func bounds() throws {
    #expect(memory.keptBytes == 0)
    memory.giveBack(try #require(memory.take(80_000)))
    #expect(memory.keptBytes == 0)
    memory.enter()
    let blocks = try (0..<40).map { _ in try #require(memory.take(1 << 20)) }
    for block in blocks { memory.giveBack(block) }
    #expect(memory.keptBytes == BodyMemory.limit)
    memory.leave()
    #expect(memory.keptBytes == 0)
  }

  @Test("blocks of any size can be written from end to end", arguments: [1, 4096, 2 << 20, (2 << 20) + 1, 7 << 20])
  func sizes(_ count: Int) throws {
    memory.enter()
    defer { memory.leave() }
    let block = try #require(memory.take(count))
    memset(block.base, 7, count)
    let bytes = UnsafeRawBufferPointer(start: block.base, count: count)
    #expect(bytes[0] == 7 && bytes[count - 1] == 7)
    memory.giveBack(block)
  }

  @Test("data outlives its accumulator, and pieces gathered in the same memory do not disturb each other")
  func ownership() {
    var kept: [Data] = []
    for index in 0..<200 {
      let accumulator = ByteAccumulator()
      let count = 20_000 + index % 7 * 1000
      _ = Data(repeating: UInt8(index), count: count).withUnsafeBytes { accumulator.append($0) }
      kept.append(accumulator.take())
      if index % 3 == 0 { kept.removeFirst() }
    }
    #expect(kept.allSatisfy { data in data.allSatisfy { $0 == data[0] } && data.count >= 20_000 })
    var changed = kept[0]
    changed.append(contentsOf: [1, 2, 3])
    #expect(changed.count == kept[0].count + 3)
  }
}
