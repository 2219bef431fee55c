#if canImport(Darwin)
  import CoreGraphics
  import Foundation
  import ImageIO
  import Pixels

  extension ImageEncoder {
    static func encodePNG(_ bitmap: Bitmap, compression: PNGCompression) throws -> Data {
      try encode(bitmap, type: "public.png", format: .png, properties: [:])
    }

    static func encodeJPEG(_ bitmap: Bitmap, quality: Int, subsampling: ChromaSubsampling) throws -> Data {
      let properties: [CFString: Any] = [
        kCGImageDestinationLossyCompressionQuality: Double(quality) / 100,
        kCGImageDestinationBackgroundColor: CGColor(
          colorSpace: CGColorSpaceCreateDeviceGray(), components: [1, 1]) as Any,
      ]
      return try encode(bitmap, type: "public.jpeg", format: .jpeg, properties: properties)
    }

    static func encodeWebP(_ bitmap: Bitmap, _ compression: WebPCompression, effort: Int) throws -> Data {
      throw CodecError(.unsupportedFormat, "WebP cannot be written on this platform. Write a PNG or a JPEG instead.")
    }

    private static func encode(
      _ bitmap: Bitmap, type: String, format: ImageFormat, properties: [CFString: Any]
    ) throws -> Data {
      guard let image = image(bitmap), let output = CFDataCreateMutable(nil, 0),
        let destination = CGImageDestinationCreateWithData(output, type as CFString, 1, nil)
      else { throw CodecError.outOfMemory(for: bitmap.size) }
      CGImageDestinationAddImage(destination, image, properties as CFDictionary)
      guard CGImageDestinationFinalize(destination) else { throw CodecError.outOfMemory(for: bitmap.size) }
      return output as Data
    }

    static func image(_ bitmap: Bitmap) -> CGImage? {
      let data = bitmap.withUnsafeBytes { Data($0) }
      let alpha: CGImageAlphaInfo = bitmap.isOpaque ? .noneSkipLast : .premultipliedLast
      guard let space = bitmap.cgColorSpace, let provider = CGDataProvider(data: data as CFData)
      else { return nil }
      return CGImage(
        width: bitmap.size.width, height: bitmap.size.height, bitsPerComponent: 8, bitsPerPixel: 32,
        bytesPerRow: bitmap.bytesPerRow, space: space, bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    }
  }
#endif
