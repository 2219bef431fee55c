import EaselCore
import Foundation
import HTTPCaching
import Synchronized
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("Progress in the content")
struct ProgressTests {
  /// A stage whose transfers report what the test says, at the time it says.
  @MainActor private struct Transfers {
    let stage: Stage
    let reports: Locked<[DataLoader.Report]>
    let time: Locked<Double>

    init() {
      let reports = Locked<[DataLoader.Report]>([])
      let time = Locked(0.0)
      self.reports = reports
      self.time = time
      stage = Stage { configuration in
        let scripted = configuration.loader
        configuration.loader = DataLoader { call in
          reports.withLock { $0.append(call.report) }
          return try await scripted.load(call)
        }
        configuration.clock.uptime = { time.withLock { $0 } }
      }
      stage.serve(80, 60)
      stage.loader.gate.close()
    }

    /// Tells of bytes of the transfer with this number, a second after the last time.
    func report(_ received: Int, of expected: Int?, transfer: Int = 0) {
      time.withLock { $0 += 1 }
      let report = reports.withLock { $0[transfer] }
      report(HTTPProgress(received: received, expected: expected))
    }
  }

  @Test("the content reads it while the picture loads, and nothing before and after")
  func reads() async throws {
    let transfers = Transfers()
    let stage = transfers.stage
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url)) { phase in
        VStack {
          ProgressText()
          if let image = phase.image { image.accessibilityLabel("picture") }
        }
      }
    }
    #expect(harness.labels(.text) == ["none"])
    await stage.loader.gate.arrived(1)
    transfers.report(100, of: 1000)
    try await harness.until { harness.labels(.text) == ["0.1 of 1000"] }
    transfers.report(500, of: 1000)
    try await harness.until { harness.labels(.text) == ["0.5 of 1000"] }
    stage.loader.gate.open()
    try await harness.until { harness.labels(.image) == ["picture"] }
    #expect(harness.labels(.text) == ["none"])
  }

  @Test("a length that is not known has no fraction")
  func unknownLength() async throws {
    let transfers = Transfers()
    let harness = transfers.stage.harness { AsyncImageCompat(url: URL(string: Stage.url)) { _ in ProgressText() } }
    await transfers.stage.loader.gate.arrived(1)
    transfers.report(100, of: nil)
    try await harness.until { harness.labels(.text) == ["100 bytes"] }
  }

  @Test("views that do not read it are not evaluated again")
  func onlyReaders() async throws {
    let transfers = Transfers()
    var evaluations = (content: 0, bystander: 0)
    let harness = transfers.stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url)) { _ in
        let _ = evaluations.content += 1
        VStack {
          ProgressText()
          Bystander { evaluations.bystander += 1 }
        }
      }
    }
    await transfers.stage.loader.gate.arrived(1)
    harness.host.update()
    let before = evaluations
    #expect(before.content > 0 && before.bystander > 0)
    for percent in [10, 20, 30] {
      transfers.report(percent, of: 100)
      try await harness.until { harness.labels(.text).first == "0.\(percent / 10) of 100" }
    }
    #expect(evaluations == before)
  }

  @Test("another URL begins without the progress of the last one, and late reports of that change nothing")
  func anotherURL() async throws {
    let transfers = Transfers()
    let stage = transfers.stage
    let other = "https://example.com/other.jpg"
    stage.serve(60, 80, "other", at: other)
    let address = Address()
    let harness = stage.harness { AddressedProgress(address: address) }
    await stage.loader.gate.arrived(1)
    transfers.report(500, of: 1000)
    try await harness.until { harness.labels(.text) == ["0.5 of 1000"] }
    address.url = other
    harness.host.update()
    #expect(harness.labels(.text) == ["none"])
    await stage.loader.gate.arrived(2)
    transfers.report(600, of: 1000, transfer: 0)
    transfers.report(200, of: 1000, transfer: 1)
    try await harness.until { harness.labels(.text) == ["0.2 of 1000"] }
  }

  @Test("a failure ends it")
  func failure() async throws {
    let transfers = Transfers()
    let stage = transfers.stage
    stage.loader.reply(to: Stage.url, .status(404))
    let harness = stage.harness {
      CachedAsyncImage(url: URL(string: Stage.url)) { phase in
        VStack {
          ProgressText()
          PhaseText(phase: phase)
        }
      }
    }
    await stage.loader.gate.arrived(1)
    transfers.report(500, of: 1000)
    try await harness.until { harness.labels(.text) == ["0.5 of 1000", "empty"] }
    stage.loader.gate.open()
    try await harness.until { harness.labels(.text) == ["none", "http.404"] }
  }
}

private struct ProgressText: View {
  @Environment(\.asyncImageProgress) private var progress

  var body: some View {
    if let progress, let fraction = progress.fraction, let expected = progress.expectedBytes {
      Text("\(fraction) of \(expected)")
    } else if let progress {
      Text("\(progress.receivedBytes) bytes")
    } else {
      Text("none")
    }
  }
}

private struct Bystander: View {
  let evaluated: () -> Void

  var body: some View {
    let _ = evaluated()
    Color.clear
  }
}

private final class Address: ObservableObject {
  @Published var url = Stage.url
}

private struct AddressedProgress: View {
  @ObservedObject var address: Address

  var body: some View {
    CachedAsyncImage(url: URL(string: address.url)) { _ in ProgressText() }
  }
}
