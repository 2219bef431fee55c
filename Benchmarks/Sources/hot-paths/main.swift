import CCountingMalloc
import Foundation
import ImageCodecs
import Pixels
import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What a view's body does again and again: making a request, and looking its picture up in memory.
//   hot-paths [--json] [--parts]
// `--parts` adds what Foundation's side of making a key costs. Exit 1 where a figure is above its limit.

let arguments = Set(CommandLine.arguments.dropFirst())
let address = "https://images.example.com/photos/2024/06/12/portrait-of-a-harbour_1600.jpg?w=1600&quality=80"
let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hot-paths-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: folder) }

/// A string of its own storage, so that comparing it means comparing bytes.
func copy(_ text: String) -> String { String(decoding: Array(text.utf8), as: UTF8.self) }

/// A pipeline with the picture of a file in memory at several sizes.
func warmPipeline(_ file: URL) async throws -> ImagePipeline {
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  let picture = Bitmap(size: PixelSize(width: 640, height: 480)) { $0.initializeMemory(as: UInt8.self, repeating: 255) }
  try ImageEncoder.png(picture).write(to: file)
  let pipeline = ImagePipeline(configuration: .default)
  for side in [64, 128, 256] {
    let box = DecodeTarget.box(PixelSize(width: side, height: side), .fit)
    _ = try await pipeline.image(for: ImageRequest(url: file, target: box))
  }
  return pipeline
}

func look(into pipeline: ImagePipeline, _ file: URL, _ meter: Meter) -> [Meter.Reading] {
  let box = DecodeTarget.box(PixelSize(width: 128, height: 128), .fit)
  let request = ImageRequest(url: file, target: box)
  let again = ImageRequest(url: URL(fileURLWithPath: copy(file.path)), target: box)
  let absent = ImageRequest(url: folder.appendingPathComponent("absent.png"))
  guard pipeline.cachedImage(for: request)?.satisfies(box) == true else {
    print("the picture is not in memory")
    exit(2)
  }
  return [
    meter.measure("memory hit", atMost: 1_000, allocations: 0) { pipeline.cachedImage(for: request) },
    meter.measure("memory hit by another request for it", atMost: 1_000, allocations: 0) {
      pipeline.cachedImage(for: again)
    },
    meter.measure("memory miss", atMost: 1_000, allocations: 0) { pipeline.cachedImage(for: absent) },
    meter.measure("the same request at another size") { request.with(target: box) },
  ]
}

func makeKeys(_ meter: Meter) -> [Meter.Reading] {
  guard let url = URL(string: copy(address)) else { return [] }
  let plain = URLRequest(url: url)
  var one = plain
  one.setValue("Bearer 0123456789abcdef", forHTTPHeaderField: "Authorization")
  var three = one
  three.setValue("image/webp", forHTTPHeaderField: "Accept")
  three.setValue("en", forHTTPHeaderField: "Accept-Language")
  return [
    meter.measure("request and key from a URL", atMost: 500) { ImageRequest(url: url) },
    meter.measure("request and key from a URLRequest", atMost: 500) { ImageRequest(plain) },
    meter.measure("the same with one header") { ImageRequest(one) },
    meter.measure("the same with three headers") { ImageRequest(three) },
  ]
}

func measureParts(_ meter: Meter) -> [Meter.Reading] {
  guard let url = URL(string: copy(address)), let other = URL(string: copy(address)) else { return [] }
  let (text, otherText, request) = (url.absoluteString, other.absoluteString, URLRequest(url: url))
  return [
    meter.measure("  URL(string:)") { URL(string: text) },
    meter.measure("  URL.absoluteString") { url.absoluteString },
    meter.measure("  URL.scheme") { url.scheme },
    meter.measure("  URL.isFileURL") { url.isFileURL },
    meter.measure("  URL.host") { url.host },
    meter.measure("  URL.hashValue") { url.hashValue },
    meter.measure("  URL == an equal one") { url == other },
    meter.measure("  String.hashValue (\(text.utf8.count) bytes)") { text.hashValue },
    meter.measure("  String == an equal one") { text == otherText },
    meter.measure("  URLRequest(url:)") { URLRequest(url: url) },
    meter.measure("  URLRequest.url") { request.url },
    meter.measure("  URLRequest.httpMethod") { request.httpMethod },
    meter.measure("  URLRequest.allHTTPHeaderFields") { request.allHTTPHeaderFields },
    meter.measure("  URLRequest.httpBody") { request.httpBody },
    meter.measure("  URLRequest.cachePolicy") { request.cachePolicy },
  ]
}

let file = folder.appendingPathComponent("picture.png")
let meter = Meter()
var readings = look(into: try await warmPipeline(file), file, meter) + makeKeys(meter)
if arguments.contains("--parts") { readings += measureParts(meter) }
if counting_malloc_works() == 0 { print("allocations are not counted on this platform") }
for reading in readings { print(arguments.contains("--json") ? reading.json : reading.line) }
if readings.contains(where: { !$0.isWithinLimits }) { exit(1) }
