#if !canImport(Darwin) && SVG
  import Pixels

  extension ImageDecoder {
    /// A drawing at the plan's size. Its colours are sRGB by definition (SVG 2, section 12.3).
    static func drawing(
      _ bytes: UnsafeRawBufferPointer, _ plan: DecodePlan, _ limits: DecodeLimits, _ isCancelled: () -> Bool
    ) throws -> Bitmap {
      let png = try SVGConverter(size: plan.output, limits: limits).png(of: bytes, isCancelled: isCancelled)
      return try png.withUnsafeBytes { png in
        guard let info = try ImageProbe.probe(png, limits: limits), info.format == .png, info.size == plan.output else {
          throw CodecError.corrupt(.svg, "it was not drawn at \(plan.output) pixels")
        }
        let pixels = DecodePlan(source: plan.output, output: plan.output, colors: plan.colors)
        let source = try PNGRowSource(png, info: info, limits: limits)
        return try bitmap(source, pixels, isOpaque: false, isCancelled)
      }
    }
  }
#endif
