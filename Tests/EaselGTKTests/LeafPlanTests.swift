import EaselCore
import Testing

@testable import EaselGTK

@MainActor @Suite("Which leaf stands for which element")
struct LeafPlanTests {
  private func text(_ label: String) -> AccessibilityElement {
    AccessibilityElement(role: .text, label: label, frame: .zero)
  }

  @Test("elements that stay keep their leaves, others get new ones, the rest go")
  func difference() {
    let old = ["a", "b", "c"].map(text)
    let plan = LeafPlan(from: old.map { .init($0) }, to: ["c", "d", "a"].map(text))
    #expect(plan.kept == [2, nil, 0])
    #expect(plan.removed == [1])
  }

  @Test("equal texts keep their order, and no leaf is used twice")
  func equal() {
    let plan = LeafPlan(from: ["x", "x"].map { .init(text($0)) }, to: ["x", "x", "x"].map(text))
    #expect(plan.kept == [0, 1, nil])
    #expect(plan.removed.isEmpty)
  }

  @Test("a button whose words change keeps its leaf")
  func renamed() throws {
    let host = ViewHost(Counter(), size: CGSize(width: 100, height: 100))
    let before = host.accessibilityTree()
    host.activate("0")
    let after = host.accessibilityTree()
    #expect(after.map(\.label) == ["1"])
    #expect(LeafPlan(from: before.map { .init($0) }, to: after).kept == [0])
  }
}

private struct Counter: View {
  @State private var count = 0
  var body: some View { Button("\(count)") { count += 1 } }
}
