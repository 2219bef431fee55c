import EaselCore
import Testing

@MainActor @Suite("Opening addresses")
struct OpenURLTests {
  private struct Link: View {
    let journal: Journal
    @Environment(\.openURL) private var openURL

    var body: some View {
      Button("open") {
        guard let url = URL(string: "https://example.com/a") else { return }
        openURL(url) { journal.note($0 ? "accepted" : "refused") }
      }
    }
  }

  private func open(_ view: some View, system: (@MainActor (URL) -> Bool)? = nil) {
    let host = ViewHost(view, size: CGSize(width: 100, height: 100))
    if let system { host.openSystemURL = system }
    #expect(host.activate("open"))
  }

  @Test("a host without a way of its own opens nothing and says so")
  func discarded() {
    let journal = Journal()
    open(Link(journal: journal))
    #expect(journal.take() == ["refused"])
  }

  @Test("the host is asked where no view handles the address")
  func system() {
    let journal = Journal()
    open(Link(journal: journal)) { url in
      journal.note("system \(url.path)")
      return true
    }
    #expect(journal.take() == ["system /a", "accepted"])
  }

  @Test(
    "a view's own action decides: handled, discarded, or the host's turn after all",
    arguments: [
      ("handled", ["view", "accepted"]), ("discarded", ["view", "refused"]),
      ("system", ["view", "system /a", "accepted"]), ("other", ["view", "system /b", "accepted"]),
    ])
  func view(answer: String, expected: [String]) {
    let journal = Journal()
    let action = OpenURLAction { _ in
      journal.note("view")
      switch answer {
      case "handled": return .handled
      case "discarded": return .discarded
      case "system": return .systemAction
      default: return URL(string: "https://example.com/b").map { .systemAction($0) } ?? .discarded
      }
    }
    open(Link(journal: journal).environment(\.openURL, action)) { url in
      journal.note("system \(url.path)")
      return true
    }
    #expect(journal.take() == expected)
  }
}
