import Foundation
import ImageCodecs
import Pixels
import Synchronized
import Vignette

/// A decoder for pictures written as text, such as `picture 4000x3000 blue`, and every decode counted.
///
/// The bitmap is as large as the target asks for; its first byte is the first letter of the last word, so that two
/// versions of a picture can be told apart. Anything else is `image.notAnImage`.
///
/// ```swift
/// let decoder = ScriptedDecoder()
/// configuration.decoder = decoder.decoder
/// loader.reply(to: "https://example.com/a.png", .data(ScriptedDecoder.picture(4_000, 3_000, "blue")))
/// ```
public final class ScriptedDecoder: Sendable {
  private struct State {
    var isHeld = false
    var started = 0
    var finished = 0
    var cancelled = 0
    var order: [String] = []
  }

  private let state = Locked(State())

  public init() {}

  public var started: Int { state.withLock { $0.started } }
  public var finished: Int { state.withLock { $0.finished } }
  public var cancelled: Int { state.withLock { $0.cancelled } }
  /// The texts decoded last, in the order they began: all up to 10,000, and no fewer than the last 10,000.
  public var order: [String] { state.withLock { $0.order } }

  /// Decodes that begin from now on wait until `release`, or until they are cancelled.
  public func hold() { state.withLock { $0.isHeld = true } }
  public func release() { state.withLock { $0.isHeld = false } }

  public var decoder: ImagePipeline.Decoder {
    ImagePipeline.Decoder { data, target, isCancelled in
      try self.decode(data, target: target, isCancelled: isCancelled)
    }
  }

  /// The bytes of a picture this decoder understands.
  public static func picture(_ width: Int, _ height: Int, _ word: String = "plain") -> Data {
    Data("picture \(width)x\(height) \(word)".utf8)
  }

  private func decode(_ data: Data, target: DecodeTarget, isCancelled: () -> Bool) throws -> DecodedImage {
    let text = String(decoding: data, as: UTF8.self)
    state.withLock { state in
      state.started += 1
      if state.order.count >= 20_000 { state.order.removeFirst(10_000) }
      state.order.append(text)
    }
    while state.withLock({ $0.isHeld }) {
      if isCancelled() {
        state.withLock { $0.cancelled += 1 }
        throw CancellationError()
      }
      sched_yield()
    }
    let image = try Self.image(text, target: target)
    state.withLock { $0.finished += 1 }
    return image
  }

  private static func image(_ text: String, target: DecodeTarget) throws -> DecodedImage {
    let words = text.split(separator: " ")
    guard words.count == 3, words[0] == "picture" else {
      throw text.isEmpty
        ? CodecError(.empty, "There are no bytes.") : CodecError(.notAnImage, "This is no scripted picture.")
    }
    let sides = words[1].split(separator: "x").compactMap { Int($0) }
    guard sides.count == 2 else { throw CodecError(.corrupt, "The size is damaged.") }
    let size = PixelSize(width: sides[0], height: sides[1])
    let bitmap = Bitmap(size: target.size(for: size)) { bytes in
      if let first = bytes.indices.first { bytes[first] = words[2].utf8.first ?? 0 }
    }
    return DecodedImage(bitmap: bitmap, info: ImageInfo(format: .png, storedSize: size))
  }
}
