#if !canImport(Darwin)
  import Foundation
  import Glibc
  import Testing

  @testable import ImageCodecs
  import Pixels

  @Suite("The memory of a WebP decode")
  struct WebPMemoryTests {
    @Test("rows come while the file is given, not all at its end", arguments: ["coffee.webp", "dandelion-right.webp"])
    func rowsByAndBy(file: String) throws {
      let data = try Files.photo(file)
      let info = try #require(try ImageDecoder().probe(data))
      try data.withUnsafeBytes { bytes in
        let memory = try ScratchMemory<UInt8>(count: info.size.area * 4)
        var decoder = try WebPFrameDecoder(bytes, size: info.size, isScaled: false, into: memory.start)
        var most = 0
        while decoder.rows < info.size.height {
          let before = decoder.rows
          try decoder.advance()
          most = max(most, decoder.rows - before)
        }
        withExtendedLifetime(memory) {}
        #expect(most <= info.size.height / 3)
      }
    }

    @Test("what has been read goes back to the system, a piece at a time")
    func passingMemory() throws {
      let count = 8 << 20
      let written = 64 << 10
      let memory = try PassingMemory(count: count)
      var most = 0
      for end in stride(from: written, through: count, by: written) {
        memset(memory.start + end - written, 1, written)
        most = max(most, try residentBytes(memory.start, count))
        memory.giveUp(before: end)
      }
      #expect(most >= written && most <= 512 << 10)
    }

    @Test("what has not been read stays as it was written", arguments: [1, 4095, 1 << 20, 3 << 20, (5 << 20) + 7])
    func unread(count: Int) throws {
      let memory = try PassingMemory(count: count)
      let expected = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
      memory.start.update(from: expected, count: count)
      for end in stride(from: 0, through: count, by: 100_003) {
        memory.giveUp(before: end)
        let isSame = expected.withUnsafeBytes { bytes in
          bytes.baseAddress.map { memcmp(memory.start + end, $0 + end, count - end) == 0 }
        }
        #expect(isSame == true)
      }
    }

    private func residentBytes(_ start: UnsafeMutablePointer<UInt8>, _ count: Int) throws -> Int {
      let page = sysconf(Int32(_SC_PAGESIZE))
      var pages = [UInt8](repeating: 0, count: (count + page - 1) / page)
      try #require(mincore(start, count, &pages) == 0)
      return pages.count { $0 & 1 == 1 } * page
    }
  }
#endif
