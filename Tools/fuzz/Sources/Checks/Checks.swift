import Foundation
import ImageCodecs
import Pixels

/// What must hold of every decode, whatever the bytes are: no crash and no hang, errors with codes, pictures of the size
/// that was asked for, and lenient results that agree with strict ones.
///
/// A violation ends the process, which is what a fuzzer and a parent process notice.
public struct Checks: Sendable {
  public var limits: DecodeLimits
  /// Small, so that both ways of scaling are gone: by the libraries and by rows.
  private static let box = DecodeTarget.box(PixelSize(width: 17, height: 13), .fit)

  public init(limits: DecodeLimits) { self.limits = limits }

  /// Bounds under which a case takes well under two seconds, with an address sanitizer, too.
  public static var small: DecodeLimits {
    var limits = DecodeLimits()
    limits.maximumSourcePixels = 1_000_000
    limits.maximumFullPixels = 200_000
    limits.maximumScans = 30
    limits.maximumFrames = 64
    limits.maximumAnimationPixels = 16_000_000
    limits.maximumEncodedBytes = 1 << 20
    limits.maximumSeconds = 0.4
    return limits
  }

  // MARK: Stills

  /// Decodes in full and scaled, strictly and leniently.
  /// - Returns: whether the strict decode in full succeeded.
  @discardableResult
  public func still(_ data: Data) -> Bool {
    let isWhole = still(data, .full)
    _ = still(data, Self.box)
    return isWhole
  }

  private func still(_ data: Data, _ target: DecodeTarget) -> Bool {
    let strict = outcome { try ImageDecoder(limits: limits).decode(data, target: target) }
    let lenient = outcome { try ImageDecoder(limits: limits, damage: .lenient).decode(data, target: target) }
    for case .success(let image) in [strict, lenient] { check(image, target) }
    compare(strict, lenient)
    guard case .success = strict else { return false }
    return true
  }

  /// Says nothing where the time was over: on a busy machine that may hit one and not the other.
  private func compare(_ strict: Result<DecodedImage, CodecError>, _ lenient: Result<DecodedImage, CodecError>) {
    switch (strict, lenient) {
    case (.failure(let error), _) where isLate(error), (_, .failure(let error)) where isLate(error): return
    case (.success(let strict), .success(let lenient)):
      require(!strict.isPartial && !lenient.isPartial, "a whole picture is marked")
      require(bytes(strict.bitmap) == bytes(lenient.bitmap), "strict and lenient pixels differ")
    case (.failure(let error), .success(let lenient)):
      require(error.code == .truncated || error.code == .corrupt, "lenient decoding overrides \(error)")
      require(lenient.isPartial, "a partial picture is not marked")
    case (.success, .failure(let error)): require(false, "lenient decoding fails where strict does not: \(error)")
    case (.failure(let strict), .failure(let lenient)): require(strict == lenient, "\(strict), or \(lenient)")
    }
  }

  private func check(_ image: DecodedImage, _ target: DecodeTarget) {
    let expected: PixelSize =
      switch target {
      case .full: image.info.size
      case .box(let box, let mode): image.info.size.scaled(into: box, mode: mode)
      }
    require(image.bitmap.size == expected, "\(image.bitmap.size) instead of \(expected)")
    check(image.bitmap)
  }

  private func check(_ bitmap: Bitmap) {
    require(bitmap.byteCount == bitmap.size.area * 4, "a bitmap of another length than its size")
    let isOpaque = bitmap.isOpaque
    bitmap.withUnsafeBytes { bytes in
      for at in stride(from: 0, to: bytes.count - 3, by: 4) {
        let alpha = bytes[at + 3]
        guard alpha == 255 else {
          require(!isOpaque, "a transparent pixel in an opaque picture")
          require(max(bytes[at], bytes[at + 1], bytes[at + 2]) <= alpha, "a colour above its alpha")
          continue
        }
      }
    }
  }

  /// Decodes a part of a file.
  /// - Returns: whether that succeeded strictly, which it may only with the pixels of the whole.
  public func cutStill(_ data: Data, of whole: Data) -> Bool {
    let target = data.count % 2 == 0 ? DecodeTarget.full : Self.box
    guard still(data, target) else { return false }
    let pictures = [data, whole].map { data in outcome { try ImageDecoder(limits: limits).decode(data, target: target) }
    }
    guard case .success(let part) = pictures[0], case .success(let picture) = pictures[1] else { return true }
    require(bytes(part.bitmap) == bytes(picture.bitmap), "a part of a picture passes for the whole")
    return true
  }

  /// - Returns: `nil` where the picture is shown.
  public func stillError(_ data: Data, _ target: DecodeTarget) -> CodecError? {
    switch outcome({ try ImageDecoder(limits: limits).decode(data, target: target) }) {
    case .success(let image):
      check(image, target)
      return nil
    case .failure(let error): return error
    }
  }

  // MARK: Animations

  /// The error in place of the number of frames.
  public func animationError(_ data: Data) -> CodecError? {
    guard case .failure(let error) = outcome({ try AnimationDecoder(data, limits: limits).frameCount() }) else {
      return nil
    }
    return error
  }

  /// The frames, as far as they can be had.
  public func frames(of data: Data) -> [[UInt8]] {
    guard case .success(let decoder) = outcome({ try AnimationDecoder(data, limits: limits, maximumKeptBytes: 0) })
    else {
      return []
    }
    var frames: [[UInt8]] = []
    while let frame = frame(frames.count, of: decoder) { frames.append(bytes(frame.bitmap)) }
    return frames
  }

  /// Plays some frames, and goes back.
  public func animation(_ data: Data) {
    for target in [DecodeTarget.full, Self.box] {
      let made = outcome {
        try AnimationDecoder(data, target: target, limits: limits, maximumKeptBytes: target == .full ? 0 : 8 << 20)
      }
      guard case .success(let decoder) = made else { continue }
      _ = outcome { try decoder.frameCount() }
      let first = frame(0, of: decoder)
      for number in [1, 5, 3, 63] { _ = frame(number, of: decoder) }
      let again = frame(0, of: decoder)
      guard let first, let again else { continue }
      require(bytes(first.bitmap) == bytes(again.bitmap), "a frame differs when it is composed again")
    }
  }

  private func frame(_ number: Int, of decoder: AnimationDecoder) -> AnimationFrame? {
    guard case .success(let frame?) = outcome({ try decoder.frame(at: number) }) else { return nil }
    require(frame.bitmap.size == decoder.size, "a frame of another size")
    require(frame.duration >= 0 && frame.duration.isFinite, "a duration of \(frame.duration)")
    check(frame.bitmap)
    return frame
  }

  // MARK: Previews

  /// Feeds pieces of lengths that `random` chooses; what comes in the end must be what the whole file gives.
  public func progressive(_ data: Data, using random: inout some RandomNumberGenerator) {
    let target = Bool.random(using: &random) ? DecodeTarget.full : Self.box
    let decoder = ProgressiveDecoder(target: target, limits: limits, minimumInterval: 0)
    var at = data.startIndex
    let largest = max(1, data.count / Int.random(in: 1...24, using: &random))
    while at < data.endIndex {
      let end = min(data.endIndex, at + Int.random(in: 1...largest, using: &random))
      let preview = outcome { try decoder.append(data[at..<end]) }
      if case .success(let image?) = preview { check(image, target) }
      at = end
    }
    let strict = outcome { try ImageDecoder(limits: limits).decode(data, target: target) }
    switch (strict, outcome { try decoder.finish() }) {
    case (.success(let whole), .success(let image)):
      require(bytes(whole.bitmap) == bytes(image.bitmap), "the picture in the end is another one")
    case (.failure(let whole), .failure(let error)):
      require(isLate(whole) || isLate(error) || whole == error, "\(error)")
    case (.success, .failure(let error)), (.failure(let error), .success): require(isLate(error), "\(error)")
    }
  }

  private func isLate(_ error: CodecError) -> Bool { error.code == .timedOut }

  // MARK: Headers and placeholders

  public func probe(_ data: Data) {
    guard case .success(let info?) = outcome({ try ImageDecoder(limits: limits).probe(data) }) else { return }
    require(!info.storedSize.isEmpty, "a picture without a size")
  }

  public func blurHash(_ data: Data) {
    let text = String(decoding: data, as: UTF8.self)
    guard case .success(let hash) = outcome({ try BlurHash(text) }) else { return }
    require(hash.description == text, "another hash than was read")
    check(hash.bitmap(32, 24))
  }

  public func thumbHash(_ data: Data) {
    guard case .success(let hash) = outcome({ try ThumbHash(data) }),
      case .success(let bitmap) = outcome({ try hash.bitmap() })
    else { return }
    require(bitmap.size == hash.size, "another size than the hash's")
    check(bitmap)
  }

  // MARK: Failure

  /// The result, or the error, which must be one with a code.
  public func outcome<Value>(_ body: () throws -> Value) -> Result<Value, CodecError> {
    do {
      return .success(try body())
    } catch let error as CodecError {
      require(!error.message.isEmpty, "an error without a sentence")
      return .failure(error)
    } catch {
      fatalError("an error without a code: \(error)")
    }
  }

  private func bytes(_ bitmap: Bitmap) -> [UInt8] { bitmap.withUnsafeBytes { Array($0) } }
}

extension BlurHash {
  fileprivate func bitmap(_ width: Int, _ height: Int) -> Bitmap {
    do {
      return try bitmap(size: PixelSize(width: width, height: height))
    } catch {
      fatalError("a valid hash without a picture: \(error)")
    }
  }
}

/// Ends the process unless `holds`.
public func require(_ holds: Bool, _ what: @autoclosure () -> String) {
  if !holds { fatalError(what()) }
}
