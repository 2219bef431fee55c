#if !canImport(Darwin)
  import EaselCore
  import Pixels
  import Vignette

  extension Image {
    /// The picture at its intrinsic size, source pixels / `scale` in points, whatever size was decoded.
    init(_ picture: ImageLoadState.Shown, scale: CGFloat) {
      let size = CGSize(
        width: CGFloat(picture.sourceSize.width) / scale, height: CGFloat(picture.sourceSize.height) / scale)
      self.init(picture.bitmap, size: size)
    }
  }
#endif
