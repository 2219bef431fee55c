#if !canImport(Darwin)
  import Pixels

  /// Four inks to three lights.
  enum Inks {
    /// Rewrites a row of C, M, Y, K as opaque RGBA.
    ///
    /// The stored values are 255 - ink: Adobe's programs write them so, and browsers and Pillow read every file so,
    /// with Adobe's marker or without.
    /// - Parameter color: what makes colours of the inks, where a profile tells; without one, what an ink lets through the
    ///   black lets through in part.
    static func convert(_ row: UnsafeMutablePointer<UInt8>, count: Int, color: ColorTransform?) {
      if let color {
        color.apply(row, count: count, isOpaque: true)
        return
      }
      var pixel = row
      for _ in 0..<count {
        let black = UInt32(pixel[3])
        pixel[0] = Alpha.scaled(pixel[0], by: black)
        pixel[1] = Alpha.scaled(pixel[1], by: black)
        pixel[2] = Alpha.scaled(pixel[2], by: black)
        pixel[3] = 0xFF
        pixel += 4
      }
    }
  }
#endif
