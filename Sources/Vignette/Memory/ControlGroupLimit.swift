/// The memory limit that control groups set for this process, from the text of the files the kernel shows. Pure: the
/// files come in as a closure, so that any arrangement can be tested on any machine.
///
/// Sources: cgroups(7), proc_pid_mountinfo(5), Documentation/admin-guide/cgroup-v2.rst ("Memory Interface Files") and
/// cgroup-v1/memory.rst of the Linux kernel. A limit holds for everything below, so the least along the path counts.
struct ControlGroupLimit: Sendable {
  /// A folder of the hierarchy that accounts for this process's memory, and those above it up to the mount point.
  struct Group: Equatable, Sendable {
    enum Version: Sendable { case one, two }

    var version: Version
    /// From the process's own group upwards.
    var folders: [String]
  }

  /// The contents of a small file; `nil` where it cannot be read.
  let read: @Sendable (String) -> String?

  /// The least limit in bytes; `nil` where there is none.
  func bytes() -> Int? {
    groups().flatMap { group in
      group.folders.flatMap { folder in files(of: group.version).compactMap { limit(folder + "/" + $0) } }
    }.min()
  }

  /// The groups this process is in, of each version that is mounted.
  func groups() -> [Group] {
    guard let membership = read("/proc/self/cgroup"), let table = read("/proc/self/mountinfo") else { return [] }
    let mounts = lines(table).compactMap(Mount.init)
    return lines(membership).compactMap { line in
      // "0::/path" or "4:memory,cpu:/path"; the path itself may contain colons.
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[2].first == "/" else { return nil }
      let isTwo = parts[0] == "0" && parts[1].isEmpty
      guard isTwo || parts[1].split(separator: ",").contains("memory") else { return nil }
      let version = isTwo ? Group.Version.two : .one
      return mounts.lazy.filter { $0.version == version }.compactMap { mount in
        mount.folders(of: String(parts[2])).map { Group(version: version, folders: $0) }
      }.first
    }
  }

  private func files(of version: Group.Version) -> [String] {
    version == .two ? ["memory.max", "memory.high"] : ["memory.limit_in_bytes"]
  }

  /// "max" is no limit; version 1 says so by a number near the largest there is.
  private func limit(_ path: String) -> Int? {
    guard let line = read(path).flatMap({ lines($0).first }), let bytes = Int(line), bytes >= 0, bytes < 1 << 60 else {
      return nil
    }
    return bytes
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }
}

extension ControlGroupLimit {
  /// A mounted hierarchy of control groups.
  private struct Mount {
    var version: Group.Version
    /// The group that is seen at `point`: "/", or in a container without a namespace of its own the container's.
    var root: String
    var point: String

    /// A line of mountinfo: `36 35 98:0 /root /point options … - type source superoptions`.
    init?(_ line: Substring) {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 1 else { return nil }
      switch fields[dash + 1] {
      case "cgroup2": version = .two
      case "cgroup":
        guard fields.last?.split(separator: ",").contains("memory") == true else { return nil }
        version = .one
      default: return nil
      }
      root = Self.unescaped(fields[3])
      point = Self.unescaped(fields[4])
    }

    /// The folders of a group from itself up to the mount point. A group outside what is mounted here (a path with
    /// "..", or one that does not begin with `root`) is seen only as the mount point itself.
    func folders(of group: String) -> [String]? {
      var names = group.split(separator: "/").map(String.init)
      let rootNames = root.split(separator: "/").map(String.init)
      guard names.count < 256 else { return [point] }
      if names.contains("..") || !names.starts(with: rootNames) { return [point] }
      names.removeFirst(rootNames.count)
      return (0...names.count).reversed().map { ([point] + names.prefix($0)).joined(separator: "/") }
    }

    /// Space, tab, newline and backslash are written in octal.
    private static func unescaped(_ field: Substring) -> String {
      guard field.contains("\\") else { return String(field) }
      var bytes: [UInt8] = []
      var rest = field.utf8[...]
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\\"), let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
          bytes.append(code)
          rest = rest.dropFirst(3)
        } else {
          bytes.append(byte)
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
