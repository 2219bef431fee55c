import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The few things the store does with files beside its index, by POSIX: errors come back as numbers, and tests put in
/// disks that are full or slow.
package struct FileOperations: Sendable {
  /// Makes a file that must not exist yet, with the given bytes, readable by the owner alone. Nothing is left of it
  /// where it fails.
  package var write: @Sendable (_ path: String, _ data: Data) throws(FileFailure) -> Void
  /// A whole file of exactly this many bytes.
  package var read: @Sendable (_ path: String, _ count: Int) throws(FileFailure) -> Data
  package var rename: @Sendable (_ from: String, _ to: String) throws(FileFailure) -> Void
  package var remove: @Sendable (_ path: String) throws(FileFailure) -> Void
  /// With those above it; there already is fine. For the owner alone.
  package var makeDirectory: @Sendable (_ path: String) throws(FileFailure) -> Void

  package static let posix = FileOperations(
    write: POSIXFiles.write, read: POSIXFiles.read, rename: POSIXFiles.rename, remove: POSIXFiles.remove,
    makeDirectory: POSIXFiles.makeDirectory)
}

/// An `errno`.
package struct FileFailure: Error, Equatable, Sendable {
  package var number: Int32

  package init(_ number: Int32) { self.number = number }

  static let notFound = FileFailure(ENOENT)
  /// The file has another length than it should.
  static let wrongLength = FileFailure(EIO)

  func storeFailure(_ path: String) -> StoreFailure {
    let isFull = number == ENOSPC || number == EDQUOT
    return StoreFailure(kind: isFull ? .full : .unavailable, message: "\(String(cString: strerror(number))): \(path)")
  }
}

enum POSIXFiles {
  static func write(_ path: String, _ data: Data) throws(FileFailure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(errno) }
    var failure = writeAll(data, to: descriptor)
    // Some file systems tell of a full disk only here.
    if close(descriptor) != 0, failure == nil { failure = errno }
    guard let failure else { return }
    unlink(path)
    throw FileFailure(failure)
  }

  private static func writeAll(_ data: Data, to descriptor: Int32) -> Int32? {
    data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = systemWrite(descriptor, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : ENOSPC }
        offset += count
      }
      return nil
    }
  }

  static func read(_ path: String, _ count: Int) throws(FileFailure) -> Data {
    // A pipe in its place would else be waited for.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFailure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFailure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) == count else { throw .wrongLength }
    guard count > 0 else { return Data() }
    guard let memory = malloc(count) else { throw FileFailure(ENOMEM) }
    var offset = 0
    while offset < count {
      let got = systemRead(descriptor, memory + offset, count - offset)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else {
        let failure = got < 0 ? FileFailure(errno) : .wrongLength
        free(memory)
        throw failure
      }
      offset += got
    }
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  static func rename(_ from: String, _ to: String) throws(FileFailure) {
    guard systemRename(from, to) == 0 else { throw FileFailure(errno) }
  }

  static func remove(_ path: String) throws(FileFailure) {
    guard unlink(path) == 0 else { throw FileFailure(errno) }
  }

  static func makeDirectory(_ path: String) throws(FileFailure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw FileFailure(errno)
    }
    try makeDirectory(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileFailure(errno) }
  }

  /// The names in a directory that fulfil a condition, "." and ".." left out, at most `limit`; none where it cannot be
  /// read, or is a symbolic link.
  static func names(
    in path: String, limit: Int = .max, where isWanted: (String) -> Bool = { _ in true }
  ) -> [String] {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return [] }
    guard let directory = fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != "..", isWanted(name) { names.append(name) }
    }
    return names
  }

  /// One that is not empty stays.
  static func removeDirectory(_ path: String) { _ = rmdir(path) }

  /// `false` for a symbolic link to one.
  static func isDirectory(_ path: String) -> Bool { kind(path) == S_IFDIR }

  static func isLink(_ path: String) -> Bool { kind(path) == S_IFLNK }

  /// The file type bits of what stands at a path itself; `nil` where there is nothing.
  static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Which file a path leads to, and when it was last written, in seconds since 1970; `nil` where there is none.
  static func identity(_ path: String) -> (file: FileIdentity, written: Double)? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let file = FileIdentity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino))
    return (file, modified(status))
  }

  private static func modified(_ status: stat) -> Double {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

struct FileIdentity: Equatable {
  var device: UInt64
  var inode: UInt64
}

// Inside POSIXFiles the names of the system's functions mean its own.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
private func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }
