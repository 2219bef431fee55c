import Synchronized
import Testing

@testable import Vignette

@Suite("How much memory this process may use")
struct ControlGroupLimitTests {
  private static let two = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
  private static let one = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory"

  private func limit(_ membership: String, _ mounts: String, _ files: [String: String] = [:]) -> Int? {
    var files = files
    files["/proc/self/cgroup"] = membership
    files["/proc/self/mountinfo"] = "22 1 8:1 / / rw - ext4 /dev/root rw\n" + mounts + "\n"
    return ControlGroupLimit(read: { [files] in files[$0] }).bytes()
  }

  @Test("version 2: the group's memory.max")
  func versionTwo() {
    #expect(limit("0::/app\n", Self.two, ["/sys/fs/cgroup/app/memory.max": "536870912\n"]) == 536_870_912)
  }

  @Test("version 2: memory.high counts where it is lower")
  func high() {
    let files = ["/sys/fs/cgroup/app/memory.max": "2000\n", "/sys/fs/cgroup/app/memory.high": "1000\n"]
    #expect(limit("0::/app\n", Self.two, files) == 1_000)
  }

  @Test("the least limit along the path counts, wherever it is", arguments: ["", "/user.slice", "/user.slice/app"])
  func nested(_ folder: String) {
    let files = [
      "/sys/fs/cgroup/memory.max": "max\n", "/sys/fs/cgroup/user.slice/memory.max": "9000\n",
      "/sys/fs/cgroup/user.slice/app/memory.max": "8000\n",
    ].merging(["/sys/fs/cgroup\(folder)/memory.max": "700\n"]) { $1 }
    #expect(limit("0::/user.slice/app\n", Self.two, files) == 700)
  }

  @Test("the limit of another group does not count")
  func sibling() {
    #expect(limit("0::/a\n", Self.two, ["/sys/fs/cgroup/b/memory.max": "5\n"]) == nil)
  }

  @Test("\"max\" and version 1's huge number are no limits")
  func unlimited() {
    #expect(limit("0::/app\n", Self.two, ["/sys/fs/cgroup/app/memory.max": "max\n"]) == nil)
    let huge = ["/sys/fs/cgroup/memory/app/memory.limit_in_bytes": "9223372036854771712\n"]
    #expect(limit("4:memory:/app\n", Self.one, huge) == nil)
  }

  @Test("version 1: the group of the memory controller, whichever else it is mounted with")
  func versionOne() {
    let mount = "35 31 0:32 / /cg rw - cgroup cgroup rw,cpu,memory\n36 31 0:33 / /other rw - cgroup cgroup rw,blkio"
    let files = [
      "/cg/docker/app/memory.limit_in_bytes": "4096\n", "/other/wrong/memory.limit_in_bytes": "1\n",
    ]
    #expect(limit("9:blkio:/wrong\n8:cpu,memory:/docker/app\n", mount, files) == 4_096)
  }

  @Test("both versions at once: the lower of the two")
  func both() {
    let files = ["/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "300\n", "/two/b/memory.max": "200\n"]
    let mounts = Self.one + "\n41 31 0:38 / /two rw - cgroup2 cgroup2 rw"
    #expect(limit("4:memory:/a\n0::/b\n", mounts, files) == 200)
  }

  @Test("a container without a namespace of its own sees its group as the mount point")
  func containerRoot() {
    let mount = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw"
    #expect(limit("0::/docker/abc\n", mount, ["/sys/fs/cgroup/memory.max": "77\n"]) == 77)
    #expect(limit("0::/docker/abc/job\n", mount, ["/sys/fs/cgroup/job/memory.max": "66\n"]) == 66)
    // A group outside what is mounted.
    #expect(limit("0::/elsewhere\n", mount, ["/sys/fs/cgroup/memory.max": "55\n"]) == 55)
    #expect(limit("0::/../other\n", Self.two, ["/sys/fs/cgroup/memory.max": "44\n"]) == 44)
  }

  @Test("names with spaces, colons and backslashes")
  func oddNames() {
    let mount = #"30 23 0:26 / /odd\040place\134 rw - cgroup2 none rw"#
    #expect(limit("0::/a:b c\n", mount, [#"/odd place\/a:b c/memory.max"#: "12\n"]) == 12)
  }

  @Test(
    "what makes no sense is no limit",
    arguments: ["", "\n", "-5\n", "12 34\n", "1e9\n", "0x10\n", "99999999999999999999999\n", "max max\n", "\0\u{FFFD}"])
  func nonsense(_ text: String) {
    #expect(limit("0::/app\n", Self.two, ["/sys/fs/cgroup/app/memory.max": text]) == nil)
    #expect(limit(text, Self.two) == nil)
    #expect(limit("0::/app\n", text) == nil)
  }

  @Test("files that are missing are no limit")
  func missing() {
    #expect(ControlGroupLimit(read: { _ in nil }).bytes() == nil)
  }

  @Test("random text never stops it", arguments: 0..<20)
  func randomText(_ round: Int) {
    var random = SeededRandom()
    let pieces = ["0::", "/", "..", "memory", ":", " ", "\n", "-", "cgroup2", "cgroup", "\\", "\\0", "\\040", "9", "é"]
    func text() -> String {
      (0..<60).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let (membership, mounts) = (text(), text())
    let limit = ControlGroupLimit { path in
      switch path {
      case "/proc/self/cgroup": membership
      case "/proc/self/mountinfo": mounts
      default: "1234\n"
      }
    }
    let bytes = limit.bytes()
    #expect(bytes == nil || bytes == 1_234, "seed \(random.seed)")
  }

  @Test("a path of very many folders is not walked")
  func endlessPath() {
    let asked = Locked(0)
    let path = String(repeating: "/a", count: 100_000)
    let limit = ControlGroupLimit { name in
      asked.withLock { $0 += 1 }
      return switch name {
      case "/proc/self/cgroup": "0::\(path)\n"
      case "/proc/self/mountinfo": Self.two
      default: nil
      }
    }
    #expect(limit.bytes() == nil)
    #expect(asked.withLock { $0 } < 600)
  }

  @Test("the default budget is 15 % of it, at least 16 MiB and at most 768 MiB")
  func defaultBudget() {
    let (least, most): (Int, Int) = (16_777_216, 805_306_368)
    let expected: [(available: Int, budget: Int)] = [
      (1_000_000_000, 150_000_000), (0, least), (-1, least), (67_108_864, least), (1_000_000_000_000, most),
      (.max, most),
    ]
    for (available, budget) in expected {
      #expect(ImageMemoryCache.defaultBudget(availableMemory: available) == budget)
    }
  }

  @Test("this machine gives a budget within the bounds")
  func thisMachine() {
    #expect((16 << 20...768 << 20).contains(ImageMemoryCache.defaultBudget))
    #expect(ImageMemoryCache().budget == ImageMemoryCache.defaultBudget)
  }
}
