/// Which directories a store may use: those that have an index already, and those that hold nothing else. Any other is
/// somebody's own, which backups must not leave out for a cache's sake.
enum StoreDirectory {
  /// There of themselves: on a volume of its own, and where somebody has looked.
  private static let ignored: Set = ["lost+found", ".DS_Store"]

  /// A directory that is not there may be used too.
  static func isUsable(_ path: String) -> Bool {
    if POSIXFiles.identity(path + "/" + StoreIndex.fileName) != nil { return true }
    // It may be reached through a link.
    return POSIXFiles.names(in: path + "/.", limit: 1, where: { !isOwn($0) && !ignored.contains($0) }).isEmpty
  }

  /// Whether a store may have made what has this name: it may be making its index just now.
  private static func isOwn(_ name: String) -> Bool {
    ["lock", "CACHEDIR.TAG"].contains(name) || name.hasPrefix(StoreIndex.fileName) || BodyFiles.isFolder(name)
  }
}
