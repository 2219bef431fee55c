#if canImport(Darwin)
  import CoreGraphics
  import Foundation
  import ImageCodecs
  import Pixels
  import SwiftUI
  import Vignette

  extension Image {
    /// The picture at its intrinsic size, source pixels / `scale` in points, whatever size was decoded.
    init(_ picture: ImageLoadState.Shown, scale: CGFloat) {
      guard let image = picture.bitmap.makeCGImage() else {
        self.init(decorative: "", bundle: nil)
        return
      }
      let width = CGFloat(max(1, picture.sourceSize.width)) / scale
      self.init(decorative: image, scale: CGFloat(image.width) / width)
    }
  }

  extension Color {
    static var placeholderFill: Color {
      #if os(visionOS)
        Color(uiColor: .secondarySystemFill)
      #elseif os(iOS)
        if #available(iOS 15, *) { Color(uiColor: .secondarySystemFill) } else { Color(UIColor.secondarySystemFill) }
      #else
        Color.gray.opacity(0.2)
      #endif
    }
  }

  extension Bitmap {
    /// A `CGImage` that shares this bitmap's memory and keeps it alive.
    func makeCGImage() -> CGImage? {
      guard let space = cgColorSpace, let bytes = withUnsafeBytes({ $0.baseAddress }) else {
        return nil
      }
      let owner = Unmanaged.passRetained(Owner(self))
      let provider = CGDataProvider(
        dataInfo: owner.toOpaque(), data: bytes, size: byteCount,
        releaseData: { info, _, _ in
          guard let info else { return }
          Unmanaged<Owner>.fromOpaque(info).release()
        })
      guard let provider else {
        owner.release()
        return nil
      }
      // From here on the provider lets go of the owner, whatever becomes of the image.
      let alpha: CGImageAlphaInfo = isOpaque ? .noneSkipLast : .premultipliedLast
      return CGImage(
        width: size.width, height: size.height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: bytesPerRow,
        space: space, bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue), provider: provider, decode: nil,
        shouldInterpolate: true, intent: .defaultIntent)
    }

    private final class Owner {
      let bitmap: Bitmap
      init(_ bitmap: Bitmap) { self.bitmap = bitmap }
    }
  }
#endif
