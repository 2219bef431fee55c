#if !canImport(Darwin)
  internal import CImageShims

  extension CodecError {
    /// Throws what a shim's status means; does nothing for `ok`.
    static func check(_ status: vg_status, _ format: ImageFormat, _ detail: @autoclosure () -> String) throws {
      switch status {
      case .ok: return
      case .truncated: throw CodecError.truncated(format)
      case .corrupt: throw CodecError.corrupt(format, detail())
      case .unsupported: throw CodecError.unsupportedVariant(of: format)
      case .outOfMemory:
        throw CodecError(.tooManyPixels, "There is not enough memory for the picture. Ask for a smaller size.")
      case .tooManyScans:
        throw CodecError(
          .tooManyScans,
          "The picture is built up in far more steps (scans) than any honest one. Save it again as a plain JPEG.")
      }
    }
  }
#endif
