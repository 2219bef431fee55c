import Foundation
import ImageCodecs
import Pixels
import Testing
import VignetteTesting

@testable import Vignette

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Random requests for the pictures of a soak, of every kind of source, size, policy and processing, and what their
/// answers must be.
struct SoakRequests: Sendable {
  let world: any SoakWorld
  let files: TemporaryFolder
  private let dataURLs: [URL]

  init(_ world: any SoakWorld) throws {
    self.world = world
    files = TemporaryFolder()
    dataURLs = (0..<SoakPicture.count).compactMap { picture in
      URL(string: "data:;base64," + world.bytes(picture).base64EncodedString())
    }
    for picture in 0..<SoakPicture.count { try world.bytes(picture).write(to: file(picture)) }
  }

  private func file(_ picture: Int) -> URL { files.url.appendingPathComponent("\(picture)") }

  func random(_ random: inout SeededRandom) -> (request: ImageRequest, picture: Int) {
    let picture = Int.random(in: 0..<SoakPicture.count, using: &random)
    let box = SoakPicture.boxes[Int.random(in: 0..<SoakPicture.boxes.count, using: &random)]
    let mode: ScalingMode = random.oneIn(2) ? .fit : .fill
    let target = Int.random(in: 0..<3, using: &random) == 0 ? DecodeTarget.full : .box(box.0, box.1, mode)
    var request = plain(picture, target, &random)
    request.priority = ImagePriority.allCases.randomElement(using: &random) ?? .visible
    if random.oneIn(3) { request.policy = ImageCachePolicy.allCases.randomElement(using: &random) ?? .standard }
    if random.oneIn(20) { request.timeout = Bool.random(using: &random) ? 0 : 600 }
    if random.oneIn(5) { request = request.with(processors: processors(&random)) }
    return (request, picture)
  }

  private func plain(_ picture: Int, _ target: DecodeTarget, _ random: inout SeededRandom) -> ImageRequest {
    let url = world.url(picture, width: nil)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return ImageRequest(url: file(picture), target: target)
    case 1:
      return ImageRequest(id: "bytes \(picture)", target: target) { [world] in
        await Task.yield()
        return world.bytes(picture)
      }
    case 2:
      return ImageRequest(id: "chunks \(picture)", target: target) { [world] in
        let bytes = world.bytes(picture)
        let middle = bytes.count / 2
        return AsyncStream<Data> { stream in
          stream.yield(Data(bytes.prefix(middle)))
          stream.yield(Data(bytes.dropFirst(middle)))
          stream.finish()
        }
      }
    case 3: return ImageRequest(url: dataURLs[picture], target: target)
    case 4:
      return ImageRequest(SizedSource(original: url) { world.url(picture, width: $0.width) }, target: target)
    case 5:
      var request = ImageRequest(url: url, target: target)
      request.alternatives = [URLRequest(url: world.url(SoakPicture.alternative(to: picture), width: nil))]
      return request
    case 6:
      var request = ImageRequest(url: url, target: target, identity: .key("picture \(picture)"))
      request.prepare = { request in
        await Task.yield()
        return request
      }
      return request
    default: return ImageRequest(url: url, target: target)
    }
  }

  private struct Refusal: Error {}

  private func processors(_ random: inout SeededRandom) -> [ImageProcessor] {
    let all: [ImageProcessor] = [
      .resize(to: PixelSize(width: 20, height: 20)), .crop(to: PixelSize(width: 5, height: 9)),
      .roundedCorners(radius: 4), .tint(RGBA(red: 1, green: 0, blue: 0)), .blur(radius: 2),
      .custom(id: "fails") { _, _ in throw Refusal() },
    ]
    return (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in all.randomElement(using: &random) }
  }

  // MARK: Answers

  /// An answer has the asked-for picture's size and pixels, or those of the one that stands in for it, and is as large
  /// as was asked for.
  func check(_ response: ImageResponse, to request: ImageRequest, _ picture: Int, _ comment: Comment) {
    let answers = [picture, SoakPicture.alternative(to: picture)]
    guard let answer = answers.first(where: { SoakPicture.size($0) == response.sourceSize }) else {
      Issue.record("A source of \(response.sourceSize) for picture \(picture). \(comment.rawValue)")
      return
    }
    #expect(
      request.target.isSatisfied(by: response.bitmap.size, of: response.sourceSize, coverage: response.coverage),
      comment)
    guard request.processors.isEmpty, !SoakPicture.noisy.contains(answer) else { return }
    let mark = response.bitmap.withUnsafeBytes { $0.first ?? 0 }
    #expect(abs(Int(mark) - Int(SoakPicture.mark(answer))) <= 1, comment)
  }
}

extension SeededRandom {
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
