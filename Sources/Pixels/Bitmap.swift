#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Decoded pixels: premultiplied RGBA, 8 bits a channel, rows from the top, `width * 4` bytes a row; in sRGB unless
/// `colorProfile` says otherwise.
///
/// Invariants: the bytes never change after the initialiser returns, so a `Bitmap` may be read from any thread;
/// copying a `Bitmap` copies a reference. `byteCount` is exactly `width * height * 4`.
public struct Bitmap: Sendable {
  public let size: PixelSize
  /// Whether every alpha value is known to be 255. May be `false` for a picture that happens to be opaque.
  public let isOpaque: Bool
  /// What the numbers mean where that is not sRGB. Setting it converts nothing. Not counted in `byteCount`.
  public var colorProfile: ColorProfile?
  private var storage: Storage

  public var bytesPerRow: Int { size.width * 4 }
  public var byteCount: Int { size.area * 4 }

  /// Makes a bitmap by writing its bytes once. The memory handed to `fill` is zeroed (transparent black).
  ///
  /// Where there is not enough memory the bitmap becomes empty (`size` is `zero`) and `fill` is given an empty buffer;
  /// a `fill` that may be asked for unreasonable sizes checks the count. Throws what `fill` throws; the memory is then
  /// released.
  public init(
    size: PixelSize, isOpaque: Bool = false, filling fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) rethrows {
    let storage = Storage(pixelCount: size.area)
    try fill(storage.bytes)
    self.size = storage.bytes.isEmpty ? .zero : size
    self.isOpaque = isOpaque
    self.storage = storage
  }

  /// The bytes, valid only inside `body`.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(storage.bytes))
  }

  /// Whether both values share the same memory.
  public func isIdentical(to other: Bitmap) -> Bool { storage === other.storage }

  /// Whether this value holds the only reference to the memory, weak ones aside: nobody else can look at the pixels.
  package mutating func isUniquelyHeld() -> Bool { isKnownUniquelyReferenced(&storage) }

  /// A picture without pixels; shared, so that it costs nothing.
  package static let empty = Bitmap(size: .zero, isOpaque: true) { _ in }

  /// A bitmap that this does not keep in memory, found again for as long as somebody else does.
  package struct Weak: Sendable {
    package let size: PixelSize
    package let isOpaque: Bool
    private let colorProfile: ColorProfile?
    private weak var storage: Storage?

    package init(_ bitmap: Bitmap) {
      size = bitmap.size
      isOpaque = bitmap.isOpaque
      colorProfile = bitmap.colorProfile
      storage = bitmap.storage
    }

    /// The bitmap, with the very same memory; `nil` once the last one who held it has let go.
    package var bitmap: Bitmap? {
      storage.map { Bitmap(size: size, isOpaque: isOpaque, colorProfile: colorProfile, storage: $0) }
    }
  }

  private init(size: PixelSize, isOpaque: Bool, colorProfile: ColorProfile?, storage: Storage) {
    self.size = size
    self.isOpaque = isOpaque
    self.colorProfile = colorProfile
    self.storage = storage
  }

  /// One pixel's premultiplied channels, for tests and tools; transparent black outside the picture.
  public subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return (0, 0, 0, 0) }
    let at = y * bytesPerRow + x * 4
    return withUnsafeBytes { ($0[at], $0[at + 1], $0[at + 2], $0[at + 3]) }
  }

  /// guard: written only by `fill` before the `Bitmap` exists; read-only from then on.
  private final class Storage: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Pictures of this many bytes and more are mapped, not allocated: their memory goes back to the system the moment
    /// the last reference goes. (glibc would raise its own threshold for that to the largest block ever freed, up to
    /// 32 MiB, and keep freed pictures in its heaps from then on.)
    private static let mappedFrom = 256 << 10

    init(pixelCount: Int) {
      let (byteCount, overflow) = pixelCount.multipliedReportingOverflow(by: 4)
      guard byteCount > 0, !overflow, let pointer = Self.allocate(byteCount) else {
        bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        return
      }
      bytes = UnsafeMutableRawBufferPointer(start: pointer, count: byteCount)
    }

    /// Zeroed memory; `nil` where there is none.
    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
      guard byteCount >= mappedFrom else { return calloc(byteCount, 1) }
      let pointer = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
      guard pointer != MAP_FAILED else { return nil }
      pointer?.adviseLargePages(byteCount)
      return pointer
    }

    deinit {
      guard let pointer = bytes.baseAddress else { return }
      if bytes.count >= Self.mappedFrom {
        munmap(pointer, bytes.count)
      } else {
        free(pointer)
      }
    }
  }
}
