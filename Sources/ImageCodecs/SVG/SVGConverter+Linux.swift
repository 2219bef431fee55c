#if !canImport(Darwin) && SVG
  internal import CImageShims
  import Foundation
  import Pixels

  /// Draws an SVG with librsvg's own command, in a process of its own.
  ///
  /// A drawing is a program: a few lines of filters, patterns or pictures within it can take hours and any amount of
  /// memory, and nothing stops librsvg once it draws. A process can be limited and ended.
  struct SVGConverter {
    private static let program = "rsvg-convert"
    /// Cairo's bound.
    private static let maximumSide = 32_767
    /// What the process needs beside the drawing: libraries and fonts, in address space.
    private static let ownMemory = 512 << 20
    /// Between two questions whether to go on, in milliseconds.
    private static let patience: CInt = 10

    let size: PixelSize
    private let limits: DecodeLimits

    init(size: PixelSize, limits: DecodeLimits) throws {
      guard max(size.width, size.height) <= Self.maximumSide else {
        throw CodecError(
          .tooManyPixels,
          "A drawing of \(size) pixels was asked for, and \(Self.maximumSide) on a side is the most. "
            + "Ask for a smaller size.")
      }
      // The surface, and the file that is made of it.
      try limits.checkHeld(size, bytesPerPixel: 8)
      self.size = size
      self.limits = limits
    }

    /// The drawing as a PNG of `size`.
    func png(of bytes: UnsafeRawBufferPointer, isCancelled: () -> Bool) throws -> Data {
      let process = try start(bytes)
      let png: Data
      do {
        png = try process.output(upTo: maximumOutput, patience: Self.patience, isCancelled: isCancelled)
      } catch {
        process.kill()
        throw error
      }
      switch process.end() {
      case .succeeded: return png
      case .failed(let message): throw failure(of: bytes, message)
      case .ended: throw tooMuch
      }
    }

    private var tooMuch: CodecError {
      CodecError(
        .tooMuchMemory,
        "The drawing takes more memory or time than the limits of \(limits.maximumWorkingBytes) bytes and "
          + "\(limits.maximumSeconds) seconds. Ask for a smaller size, simplify it, or raise the limits.")
    }

    /// Little more than its pixels, which compression makes fewer.
    private var maximumOutput: Int { size.area * 4 + size.height * 8 + 64 << 10 }

    private func start(_ bytes: UnsafeRawBufferPointer) throws -> ConverterProcess {
      let seconds = min(max(1, limits.maximumSeconds.rounded(.up)), 1e6)
      do {
        return try ConverterProcess(
          [Self.program, "--width", "\(size.width)", "--height", "\(size.height)", "--format", "png"], input: bytes,
          limits: vg_converter_limits(
            memory: UInt64(clamping: limits.maximumWorkingBytes.addingReportingOverflow(Self.ownMemory).partialValue),
            seconds: UInt64(seconds) + 1))
      } catch let error as POSIXError where error.code == .ENOENT {
        throw CodecError(
          .unsupportedFormat,
          "An SVG is drawn by librsvg's command \(Self.program), which is not in PATH. Install it "
            + "(Debian: librsvg2-bin), or use PNG.")
      } catch {
        throw CodecError(
          .tooMuchMemory, "No process could be started that draws the SVG (\(error)). End others, and try again.")
      }
    }

    /// - Parameter message: what librsvg says, in its own words.
    private func failure(of bytes: UnsafeRawBufferPointer, _ message: String) -> CodecError {
      guard !message.contains("NoMemory") else { return tooMuch }
      // libxml2's words for a document whose root is still open, and for one whose root has ended before it does.
      if message.contains("Premature end") { return .truncated(.svg) }
      let isClosed = message.contains("Extra content") || bytes.last { $0 > 0x20 } == UInt8(ascii: ">")
      return isClosed ? .corrupt(.svg, message) : .truncated(.svg)
    }
  }
#endif
