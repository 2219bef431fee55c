import Foundation
import Testing

@testable import HTTPCaching

@Suite("The store leaves alone what is not its own", .timeLimit(.minutes(5)))
struct ForeignFileTests {
  private let body = pattern(5000)

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A file last written three days ago.
  private func makeFile(_ path: String, _ text: String = "foreign") throws {
    let file = URL(fileURLWithPath: path)
    try makeFolder(file.deletingLastPathComponent().path)
    try Data(text.utf8).write(to: file)
    let attributes: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: -259_200)]
    try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
  }

  private func link(_ path: String, to target: String) throws {
    try makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
  }

  private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  private func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  private static func name(_ number: Int64 = 0x19ab_cdef_0123_457f) -> String { BodyFiles.fileName(number) }

  /// Everything a store does of itself and on request.
  private func useThoroughly(_ stage: StoreStage) async throws {
    for name in ["a", "b"] { stage.store.put(name, body) }
    #expect(await stage.store.get("a") == body)
    stage.store.removeAll(url: CacheKey.withoutFragment(Stores.url("a")))
    await stage.store.sweep()
    _ = try await stage.store.verify()
    stage.store.removeAll()
    stage.store.put("a", body)
    await stage.store.sweep()
    _ = try await stage.store.verify()
    #expect(await stage.store.get("a") == body)
  }

  private func stage(_ directory: TemporaryDirectory) -> StoreStage { StoreStage(directory) { $0.inlineBytes = 1000 } }

  @Test(
    "a file whose name the store does not give stays, wherever it is",
    arguments: [
      "notes.txt", "discarded", "discarded-notes.txt", "discarded-old/sub/thesis.doc", "discarded-old/7f/\(name())",
      "discarded-\(name())/sub/\(name())", "discarded-\(name())/7f/thesis.doc", "discarded-\(name())/07f/\(name())",
      "discarded-\(name())/notes.txt", "pending/notes.txt", "pending/abc", "pending/-9abcdef01234567",
      "pending/\(name().uppercased())", "pending/0\(name())", "pending/+\(name().dropFirst())", "pending/sub/\(name())",
      "pending/\(name(-1))",
    ])
  func foreignNames(_ path: String) async throws {
    let stage = stage(TemporaryDirectory())
    stage.store.put("before", body)
    await stage.store.flush()
    try makeFile(stage.directory.path(path))
    try await useThoroughly(stage)
    #expect(text(stage.directory.path(path)) == "foreign")
  }

  @Test(
    "a file that the store did not name stays among the bodies, also where they are put out of the way",
    arguments: ["thesis.doc", "sub/thesis.doc", "7f/thesis.doc", "7f/abc"])
  func foreignBodies(_ path: String) async throws {
    let directory = TemporaryDirectory()
    try makeFile(directory.path("bodies/" + path))
    let stage = stage(directory)
    stage.store.put("a", body)
    #expect(try await stage.store.verify() == .init(whole: 1))
    #expect(text(directory.path("bodies/" + path)) == "foreign")
    stage.store.removeAll()
    await stage.store.sweep()
    let left = directory.files.filter { $0.hasPrefix("discarded-") || $0.hasPrefix("bodies/") }
    #expect(left.count == 1 && left.allSatisfy { $0.hasSuffix("/" + path) && text(directory.path($0)) == "foreign" })
  }

  @Test("what the store left behind itself goes, beside what it did not name")
  func ownNames() async throws {
    let directory = TemporaryDirectory()
    let own = [
      "discarded-\(Self.name(1))/0/\(Self.name(256))", "discarded-\(Self.name(2))/7f/\(Self.name())",
      "pending/\(Self.name())", "bodies/7f/\(Self.name())",
    ]
    let foreign = ["discarded-\(Self.name(1))/0/x", "discarded-\(Self.name(2))/x", "pending/x"]
    for path in own + foreign { try makeFile(directory.path(path)) }
    let stage = stage(directory)
    await stage.store.sweep()
    #expect(try await stage.store.verify().orphans == 1)
    for path in own { #expect(text(directory.path(path)) == nil, "\(path)") }
    for path in foreign { #expect(text(directory.path(path)) == "foreign", "\(path)") }
    #expect(!FileManager.default.fileExists(atPath: directory.path("discarded-\(Self.name(2))/7f")))
  }

  @Test(
    "no symbolic link is followed to what it leads to",
    arguments: ["discarded-1", "discarded-\(name())", "discarded-\(name())/7f", "pending", "bodies", "bodies/7f"])
  func linkedFolders(_ path: String) async throws {
    let victim = TemporaryDirectory()
    // Names of the store's own at each depth at which the link might stand.
    let files = [Self.name(), "7f/\(Self.name())", "7f/x", "x"]
    for file in files { try makeFile(victim.path(file)) }
    for isAtWork in path == "discarded-1" ? [true] : [false, true] {
      let directory = TemporaryDirectory()
      let stage = stage(directory)
      if isAtWork {
        stage.store.put("before", body)
        await stage.store.flush()
      }
      try link(directory.path(path), to: victim.url.path)
      try await useThoroughly(stage)
    }
    #expect(victim.files == files.sorted())
    for file in files { #expect(text(victim.path(file)) == "foreign", "\(file)") }
  }

  @Test("bodies behind a link that took their place are misses, and are written anew in a folder of the store's own")
  func linkedBodies() async throws {
    let (directory, moved) = (TemporaryDirectory(), TemporaryDirectory())
    let stage = stage(directory)
    stage.store.put("a", body)
    await stage.store.flush()
    try FileManager.default.moveItem(atPath: directory.path("bodies"), toPath: moved.url.path)
    try link(directory.path("bodies"), to: moved.url.path)
    #expect(await stage.store.get("a") == nil)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body)
    #expect(!isLink(directory.path("bodies")) && directory.bodies.count == 1 && moved.files.count == 1)
  }

  @Test(
    "an index that is a link, or no file, is not used, and what it leads to stays as it is",
    arguments: ["", "-wal", "-shm"])
  func linkedIndex(_ suffix: String) async throws {
    let (directory, victim) = (TemporaryDirectory(), TemporaryDirectory())
    let path = directory.path("vignette-index.sqlite" + suffix)
    for target in ["file", "missing"] {
      try makeFile(victim.path("file"))
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: victim.path("file"))
      try link(path, to: victim.path(target))
      let stage = stage(directory)
      for name in ["a", "b"] { stage.store.put(name, body) }
      #expect(await stage.store.get("a") == nil)
      await stage.store.sweep()
      #expect(await stage.store.statistics().isAvailable == false)
      #expect(stage.log.withLock { $0.count } == 1)
      await #expect(throws: DiskStoreError.self) { try await DiskStore.existing(stage.store.configuration) }
    }
    let mode = try FileManager.default.attributesOfItem(atPath: victim.path("file"))[.posixPermissions] as? Int
    #expect(mode == 0o644 && text(victim.path("file")) == "foreign" && victim.files == ["file"])
    // Removing everything removes the link, and the store goes on.
    let stage = stage(directory)
    stage.store.removeAll()
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == body && text(victim.path("file")) == "foreign")
  }

  @Test("a lock that is a link is not used")
  func linkedLock() async throws {
    let (directory, victim) = (TemporaryDirectory(), TemporaryDirectory())
    try makeFile(victim.path("file"))
    try link(directory.path("lock"), to: victim.path("file"))
    let stage = stage(directory)
    stage.store.put("a", body)
    #expect(await stage.store.get("a") == nil)
    #expect(await stage.store.statistics().isAvailable == false)
    #expect(stage.log.withLock { $0.count } == 1)
  }

  @Test("a body that is a link or a pipe is a miss", arguments: [S_IFLNK, S_IFIFO])
  func linkedBody(_ kind: mode_t) async throws {
    let (directory, victim) = (TemporaryDirectory(), TemporaryDirectory())
    let stage = stage(directory)
    stage.store.put("a", body)
    await stage.store.flush()
    let path = directory.path(try #require(directory.bodies.first))
    try makeFolder(victim.url.path)
    try FileManager.default.moveItem(atPath: path, toPath: victim.path("body"))
    if kind == S_IFLNK { try link(path, to: victim.path("body")) } else { #expect(mkfifo(path, 0o600) == 0) }
    #expect(await stage.store.get("a") == nil)
    #expect(try Data(contentsOf: victim.url.appendingPathComponent("body")) == body)
    #expect(await stage.store.statistics().damaged == 1)
  }

  @Test("a directory that is itself reached through a link is swept as any other")
  func linkedDirectory() async throws {
    let (directory, place) = (TemporaryDirectory(), TemporaryDirectory())
    let own = ["discarded-\(Self.name(1))/0/\(Self.name(256))", "pending/\(Self.name())"]
    for path in own { try makeFile(place.path(path)) }
    try link(directory.url.path, to: place.url.path)
    let stage = stage(directory)
    stage.store.put("a", body)
    await stage.store.sweep()
    #expect(await stage.store.get("a") == body)
    for path in own { #expect(text(place.path(path)) == nil, "\(path)") }
  }
}
