import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the file system says of an open file.
struct FileStatus: Hashable, Sendable {
  var isRegular: Bool
  var size: Int
  var device: UInt64
  var inode: UInt64
  var modifiedSeconds: Int
  var modifiedNanoseconds: Int

  fileprivate init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    isRegular = status.st_mode & S_IFMT == S_IFREG
    size = Int(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    modifiedSeconds = modified.tv_sec
    modifiedNanoseconds = modified.tv_nsec
  }
}

/// Reads one regular file: opened once, so that what is checked is what is read.
///
/// Invariants: the descriptor is closed when the reader goes; nothing blocks for long (pipes and devices are refused,
/// and opening one does not wait for a writer). Files are read, not mapped: a mapped file that another process cuts
/// short kills the reader.
package final class FileReader {
  let status: FileStatus
  private let descriptor: Int32
  private let url: URL

  /// - Throws: `ImageLoadingError` (`file.notFound`, `file.unreadable`).
  package init(_ url: URL) throws {
    let path = url.path
    // A zero byte would end the path early and open another file.
    let descriptor = path.utf8.contains(0) ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw path.utf8.contains(0) || [ENOENT, ENOTDIR, ENAMETOOLONG].contains(errno)
        ? ImageLoadingError(.fileNotFound, "There is no file at \(path).", url: url)
        : ImageLoadingError(.fileUnreadable, "The file at \(path) cannot be opened; check its permissions.", url: url)
    }
    guard let status = FileStatus(descriptor: descriptor), status.isRegular else {
      close(descriptor)
      throw ImageLoadingError(
        .fileUnreadable, "\(path) is not a regular file; give the path of a picture.", url: url)
    }
    self.descriptor = descriptor
    self.status = status
    self.url = url
  }

  deinit { close(descriptor) }

  /// The next bytes, at most `count`; fewer only at the end of the file.
  package func read(upTo count: Int) throws -> Data { try readAll(count, step: count) { _ in } }

  /// The next bytes, at most `count`, into one piece of memory; fewer only at the end of the file.
  ///
  /// - Parameter progress: called after about every `step` bytes with how many there are; what it throws ends the
  ///   reading.
  func readAll(_ count: Int, step: Int, progress: (Int) throws -> Void) throws -> Data {
    guard count > 0, let memory = malloc(count) else { return Data() }
    var filled = 0
    do {
      while filled < count {
        let got = systemRead(descriptor, memory + filled, min(step, count - filled))
        if got == 0 { break }
        if got > 0 {
          filled += got
          try progress(filled)
        } else if errno != EINTR {
          throw ImageLoadingError(.fileUnreadable, "Reading \(url.path) failed; check the disk.", url: url)
        }
      }
    } catch {
      free(memory)
      throw error
    }
    return Data(bytesNoCopy: memory, count: filled, deallocator: .free)
  }
}

/// `read(2)`, which the method of that name hides.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, memory, count)
}
