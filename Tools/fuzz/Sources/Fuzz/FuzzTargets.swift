import Checks
import Foundation
import ImageCodecs

/// What one run of the fuzzer is about.
private enum FuzzTarget: String {
  case probe, jpeg, png, webp, gif, bmp, ico, avif, heic, tiff, jxl, animation, progressive, blurhash, thumbhash

  /// Chosen by the script, since libFuzzer's own options are all there is on its command line.
  static let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["VIGNETTE_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else { fatalError("VIGNETTE_FUZZ_TARGET names no target: '\(name)'") }
    return target
  }()

  /// The format that files must have; others are not worth a place in the corpus.
  var format: ImageFormat? { ImageFormat(rawValue: rawValue) }

  /// Whether chunks with checksums occur, which random changes would make wrong each time.
  var holdsPNG: Bool { [.probe, .png, .ico, .animation, .progressive].contains(self) }
}

private let checks = Checks(limits: Checks.small)

/// One case. What is wrong ends the process.
/// - Returns: 0, or -1 for bytes that are no case of this target.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let start else { return 0 }
  let data = Data(bytes: start, count: count)
  let target = FuzzTarget.chosen
  switch target {
  case .probe: checks.probe(data)
  case .animation: checks.animation(data)
  case .progressive:
    var random = SeededRandom(data.suffix(64).reduce(UInt64(count)) { $0 &* 31 &+ UInt64($1) })
    checks.progressive(data, using: &random)
  case .blurhash: checks.blurHash(data)
  case .thumbhash: checks.thumbHash(data)
  case .jpeg, .png, .webp, .gif, .bmp, .ico, .avif, .heic, .tiff, .jxl:
    guard let info = try? ImageDecoder().probe(data), info.format == target.format else { return -1 }
    checks.still(data)
  }
  return 0
}

@_silgen_name("LLVMFuzzerMutate")
private func mutate(_ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int, _ maximum: Int) -> Int

/// libFuzzer's own changes, after which the checksums of a PNG are mostly put right, since all else is behind them.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int, _ maximum: Int, _ seed: CUnsignedInt
) -> Int {
  let changed = mutate(bytes, count, maximum)
  if let bytes, FuzzTarget.chosen.holdsPNG, seed % 8 != 0 {
    PNGChecksums.repair(UnsafeMutableBufferPointer(start: bytes, count: changed))
  }
  return changed
}
