#if !canImport(Darwin)
  import Glibc

  extension UnsafeMutableRawPointer {
    /// At least three pages of 2 MiB lie within, wherever the memory begins; below, there is little to save.
    private static var leastForLargePages: Int { 8 << 20 }

    /// Asks for large pages for `byteCount` mapped bytes, which will all be written. Where the system has none to give,
    /// or is set to give none, nothing changes.
    ///
    /// Half of the time that a JPEG of 12 megapixels takes at full size is the kernel's, for its 12,000 pages of 4 KiB.
    func adviseLargePages(_ byteCount: Int) {
      guard byteCount >= Self.leastForLargePages else { return }
      madvise(self, byteCount, MADV_HUGEPAGE)
    }
  }
#endif
