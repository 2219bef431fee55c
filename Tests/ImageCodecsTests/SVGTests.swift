#if SVG && !canImport(Darwin)
  import Foundation
  import ImageCodecs
  import Pixels
  import Synchronized
  import Testing

  @Suite("SVG", .timeLimit(.minutes(5)))
  struct SVGTests {
    private static func svg(_ content: String, _ attributes: String = "width='8' height='4'") -> Data {
      Data(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>\(content)</svg>"
          .utf8)
    }

    private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
      let start = (y * bitmap.size.width + x) * 4
      return Array(bitmap.bytes[start..<(start + 4)])
    }

    /// Red on the left, half of a blue one over it and beyond, nothing on the right.
    private static let halves =
      "<rect width='4' height='4' fill='#f00'/><rect x='2' width='4' height='4' fill='#00f' opacity='.5'/>"

    @Test(
      "shapes on the edges of pixels have the colours that geometry gives them, at every size",
      arguments: [(8, 4), (16, 8), (80, 40), (400, 200)])
    func geometry(width: Int, height: Int) throws {
      let box = PixelSize(width: width, height: height)
      let picture = try ImageDecoder().decode(Self.svg(Self.halves), target: .box(box, .fit))
      #expect(picture.bitmap.size == box)
      #expect(picture.info.size == PixelSize(width: 8, height: 4))
      let unit = width / 8
      let expected: [(x: Int, color: [UInt8])] = [
        (0, [255, 0, 0, 255]), (1, [255, 0, 0, 255]), (2, [127, 0, 128, 255]), (3, [127, 0, 128, 255]),
        (4, [0, 0, 128, 128]), (5, [0, 0, 128, 128]), (6, [0, 0, 0, 0]), (7, [0, 0, 0, 0]),
      ]
      for (x, color) in expected {
        for y in [0, height - 1] {
          for column in [x * unit, (x + 1) * unit - 1] {
            let found = pixel(picture.bitmap, column, y)
            #expect(zip(found, color).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(column), \(y): \(found)")
          }
        }
      }
    }

    @Test("it fits into a box or covers it, smaller or larger than its own size; without a box it has that")
    func targets() throws {
      let data = Self.svg(Self.halves)
      func size(_ target: DecodeTarget) throws -> PixelSize {
        try ImageDecoder().decode(data, target: target).bitmap.size
      }
      let box = PixelSize(width: 100, height: 100)
      #expect(try size(.box(box, .fit)) == PixelSize(width: 100, height: 50))
      #expect(try size(.box(box, .fill)) == PixelSize(width: 200, height: 100))
      #expect(try size(.box(PixelSize(width: 2, height: 2), .fit)) == PixelSize(width: 2, height: 1))
      #expect(try size(.full) == PixelSize(width: 8, height: 4))
    }

    @Test("a drawing with only a view box fills the size it is drawn at")
    func viewBox() throws {
      let data = Self.svg("<rect width='12' height='24' fill='lime'/>", "viewBox='0 0 24 24'")
      let target = DecodeTarget.box(PixelSize(width: 48, height: 48), .fit)
      let bitmap = try ImageDecoder().decode(data, target: target).bitmap
      #expect(pixel(bitmap, 23, 47) == [0, 255, 0, 255] && pixel(bitmap, 24, 0) == [0, 0, 0, 0])
    }

    // MARK: Damage

    @Test("cut off anywhere it is no picture")
    func cut() throws {
      let data = Self.svg(Self.halves)
      for count in stride(from: 1, to: data.count, by: 9) {
        for damage in [DamagePolicy.strict, .lenient] {
          let code = codecError { _ = try ImageDecoder(damage: damage).decode(data.prefix(count)) }?.code
          #expect(code == .truncated || count < 5 && code == .notAnImage, "\(count)")
        }
      }
    }

    @Test(
      "what is no XML is damaged, and the error says where", arguments: ["<g></h>", "<a b/>", "&nothing;", "\u{1}"])
    func damaged(content: String) {
      let error = codecError { _ = try ImageDecoder().decode(Self.svg(content)) }
      #expect(error?.code == .corrupt && error?.message.contains("line 1") == true, "\(error?.message ?? "")")
    }

    @Test("flipped bits give a picture of the size in its header, or an error of its own")
    func flips() throws {
      let data = Self.svg(Self.halves)
      var random = SeededRandom(state: 6)
      for _ in 0..<100 {
        var changed = data
        let position = Int.random(in: 0..<data.count, using: &random)
        changed[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        do {
          let picture = try ImageDecoder().decode(changed)
          #expect(picture.bitmap.size == picture.info.size)
        } catch {
          #expect(error is CodecError, "\(error)")
        }
      }
    }

    @Test(
      "a document that is whole and wrong is not called cut off",
      arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3' width='5'/>",
        "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'/>text",
        "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='3'></svg><!-- \(String(repeating: "x", count: 300)) --><b/>",
      ])
    func wrong(document: String) {
      #expect(codecError { _ = try ImageDecoder().decode(Data(document.utf8)) }?.code == .corrupt)
    }

    // MARK: Hostile drawings

    @Test("nothing but the document itself is read")
    func outside() throws {
      let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png")
      let red = Bitmap(size: PixelSize(width: 8, height: 4), isOpaque: true) { bytes in
        for index in bytes.indices { bytes[index] = index % 4 == 0 || index % 4 == 3 ? 255 : 0 }
      }
      try ImageEncoder.png(red).write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      for reference in [file.absoluteString, file.path, "file://localhost\(file.path)"] {
        let image = "<image width='8' height='4' xlink:href='\(reference)' href='\(reference)'/>"
        let document = try ImageDecoder().decode(Self.svg(image)).bitmap
        #expect(document.bytes.allSatisfy { $0 == 0 })
      }
      let entity = "<!DOCTYPE svg [<!ENTITY x SYSTEM '\(file.path)'>]><svg xmlns='http://www.w3.org/2000/svg'>&x;</svg>"
      let bitmap = try? ImageDecoder().decode(Data(entity.utf8)).bitmap
      #expect(bitmap?.bytes.allSatisfy { $0 == 0 } ?? true)
    }

    @Test("one that takes too long is ended", arguments: [true, false])
    func endless(isCancelled: Bool) throws {
      // Each blurs all pixels of the one before.
      let blurs = String(repeating: "<feGaussianBlur stdDeviation='200'/>", count: 5_000)
      let data = Self.svg(
        "<filter id='f'>\(blurs)</filter><rect width='2000' height='2000' filter='url(#f)'/>",
        "width='2000' height='2000'")
      if isCancelled {
        let questions = Locked(0)
        #expect(throws: CancellationError.self) {
          try ImageDecoder().decode(
            data,
            isCancelled: {
              questions.withLock {
                $0 += 1
                return $0 > 5
              }
            })
        }
      } else {
        var limits = DecodeLimits()
        limits.maximumSeconds = 0.2
        let error = codecError { _ = try ImageDecoder(limits: limits).decode(data) }
        #expect(error?.code == .timedOut)
      }
    }

    @Test("one that takes too much memory is ended")
    func memory() throws {
      // Each layer is a surface of 16 MB.
      var limits = DecodeLimits()
      limits.maximumWorkingBytes = 64 << 20
      let layers = String(repeating: "<g opacity='.5'>", count: 60) + String(repeating: "</g>", count: 60)
      let nested = layers.replacingOccurrences(of: "'></g", with: "'><rect width='2000' height='2000'/></g")
      let data = Self.svg(nested, "width='2000' height='2000'")
      let code = codecError { _ = try ImageDecoder(limits: limits).decode(data) }?.code
      #expect(code == .tooMuchMemory)
    }

    @Test("sides that Cairo does not draw are refused")
    func sides() {
      let target = DecodeTarget.box(PixelSize(width: 40_000, height: 40_000), .fit)
      let error = codecError { _ = try ImageDecoder().decode(Self.svg("", "width='8' height='1'"), target: target) }
      #expect(error?.code == .tooManyPixels)
    }

    @Test("no process and no descriptor is left behind")
    func leavesNothing() throws {
      let rounds = 40
      let before = try descriptors()
      for round in 0..<rounds {
        let data = Self.svg(round % 2 == 0 ? Self.halves : "<g></h>")
        _ = try? ImageDecoder().decode(data)
        _ = try? ImageDecoder().decode(data, isCancelled: { true })
      }
      // Other tests have some of their own meanwhile.
      #expect(try children() < rounds)
      #expect(try descriptors() < before + rounds)
    }

    private func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Processes that this one has started and not waited for, as far as they are drawings.
    private func children() throws -> Int {
      let own = "\(ProcessInfo.processInfo.processIdentifier)"
      return try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { process in
        guard Int(process) != nil, let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        else { return false }
        return status.contains("Name:\trsvg-convert") && status.contains("PPid:\t\(own)\n")
      }.count
    }
  }
#endif
