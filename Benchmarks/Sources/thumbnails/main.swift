// thumbnails PHOTO-FOLDER [REPETITIONS]
//
// What it costs to keep a decoded picture in each format: bytes, CPU milliseconds to encode and to decode (the least of
// the repetitions), and the distance in dB of what comes back, over the premultiplied colours. `raw` is a copy of the
// pixels. Then the CPU of a decode of the 12-megapixel photo at 200 pixels against that of its thumbnail.
import Foundation
import ImageCodecs
import Pixels

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// CPU time of this process, in milliseconds.
func cpuTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// The result of `body` and the least CPU time it took.
func measure<Result>(_ repetitions: Int, _ body: () throws -> Result) rethrows -> (Result, Double) {
  var least = Double.infinity
  var result = try body()
  for _ in 0..<repetitions {
    let start = cpuTime()
    result = try body()
    least = min(least, cpuTime() - start)
  }
  return (result, least)
}

/// In dB over the three colours; infinite for equal pictures.
func psnr(_ one: Bitmap, _ other: Bitmap) -> Double {
  guard one.size == other.size else { return 0 }
  let squares = one.withUnsafeBytes { left in
    other.withUnsafeBytes { right in
      left.indices.reduce(into: 0) { sum, at in
        guard at % 4 != 3 else { return }
        let difference = Int(left[at]) - Int(right[at])
        sum += difference * difference
      }
    }
  }
  return squares == 0 ? .infinity : 10 * log10(255 * 255 * Double(one.size.area * 3) / Double(squares))
}

struct Candidate: Sendable {
  var name: String
  var keepsAlpha = true
  var encode: @Sendable (Bitmap) throws -> Data
  var decode: @Sendable (Data, Bitmap) throws -> Bitmap = { data, _ in try ImageDecoder().decode(data).bitmap }

  static func jpeg(_ quality: Int, _ subsampling: ChromaSubsampling) -> Candidate {
    Candidate(name: "JPEG \(quality) \(subsampling == .none ? "4:4:4" : "4:2:0")", keepsAlpha: false) {
      try ImageEncoder.jpeg($0, quality: quality, subsampling: subsampling)
    }
  }

  static func webp(_ compression: WebPCompression, effort: Int) -> Candidate {
    var name = "WebP lossless"
    if case .lossy(let quality) = compression { name = "WebP \(quality)" }
    return Candidate(name: "\(name), effort \(effort)") {
      try ImageEncoder.webp($0, compression, effort: effort)
    }
  }

  static let raw = Candidate(
    name: "raw", encode: { $0.withUnsafeBytes { Data($0) } },
    decode: { data, bitmap in Bitmap(size: bitmap.size) { bytes in _ = data.copyBytes(to: bytes) } })

  static let all =
    [85, 90, 92, 95, 97].flatMap { [jpeg($0, .quarter), jpeg($0, .none)] }
    + [0, 2, 4].map { webp(.lossy(quality: 90), effort: $0) } + [webp(.lossy(quality: 95), effort: 0)]
    + [0, 1, 4].map { webp(.lossless, effort: $0) }
    + [Candidate(name: "PNG fast") { try ImageEncoder.png($0, compression: .fast) }]
    + [Candidate(name: "PNG balanced") { try ImageEncoder.png($0) }, raw]
}

struct Total {
  var bytes = 0
  var encoding = 0.0
  var decoding = 0.0
  var quality: [Double] = []
}

func table(_ title: String, _ pictures: [Bitmap], _ candidates: [Candidate], _ repetitions: Int) throws {
  print("\n\(title), \(pictures.count) pictures: mean bytes, CPU ms to encode and decode, dB least and mean")
  for candidate in candidates {
    var total = Total()
    for picture in pictures {
      let (data, encoding) = try measure(repetitions) { try candidate.encode(picture) }
      let (result, decoding) = try measure(repetitions) { try candidate.decode(data, picture) }
      total.bytes += data.count
      total.encoding += encoding
      total.decoding += decoding
      total.quality.append(psnr(picture, result))
    }
    let count = Double(pictures.count)
    let mean = total.quality.reduce(0, +) / count
    let name = candidate.name.padding(toLength: 24, withPad: " ", startingAt: 0)
    let numbers = String(
      format: "%8d %8.2f %8.2f %7.1f %7.1f", total.bytes / pictures.count, total.encoding / count,
      total.decoding / count, total.quality.min() ?? 0, mean)
    print(name + numbers)
  }
}

func box(_ width: Int, _ height: Int) -> DecodeTarget { .box(PixelSize(width: width, height: height), .fit) }

let arguments = CommandLine.arguments
guard arguments.count >= 2 else {
  print("usage: thumbnails PHOTO-FOLDER [REPETITIONS]")
  exit(2)
}
let folder = URL(fileURLWithPath: arguments[1])
let repetitions = arguments.count > 2 ? max(1, Int(arguments[2]) ?? 1) : 5
let opaque = [
  "astronaut.jpg", "chelsea.png", "coffee.jpg", "dandelion-12mp.jpg", "dandelion-left.jpg", "hubble.jpg", "retina.jpg",
  "rocket.jpg",
]
let transparent = ["coffee-round-alpha.png"]

func decoded(_ file: String, _ target: DecodeTarget) throws -> Bitmap {
  try ImageDecoder().decode(Data(contentsOf: folder.appendingPathComponent(file)), target: target).bitmap
}

for (name, target) in [("200 px", box(200, 200)), ("400x300", box(400, 300)), ("800 px", box(800, 800))] {
  try table("Opaque, \(name)", opaque.map { try decoded($0, target) }, Candidate.all, repetitions)
  let clear = try transparent.map { try decoded($0, target) }
  try table("With alpha, \(name)", clear, Candidate.all.filter(\.keepsAlpha), repetitions)
}

print("\n12-megapixel JPEG to 200 px against its thumbnail: CPU ms, CPU ms of the thumbnail, ratio")
let source = try Data(contentsOf: folder.appendingPathComponent("dandelion-12mp.jpg"))
let (picture, sourceTime) = try measure(repetitions) { try ImageDecoder().decode(source, target: box(200, 200)).bitmap }
for candidate in Candidate.all {
  let data = try candidate.encode(picture)
  let (_, time) = try measure(repetitions * 10) { try candidate.decode(data, picture) }
  let name = candidate.name.padding(toLength: 24, withPad: " ", startingAt: 0)
  print(name + String(format: "%8.2f %8.3f %6.0f", sourceTime, time, sourceTime / time))
}
