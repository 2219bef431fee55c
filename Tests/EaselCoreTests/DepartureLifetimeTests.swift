import EaselCore
import Foundation
import Testing

@MainActor
@Suite("What has left is let go of")
struct DepartureLifetimeTests {
  @Test(
    "a view that left in a transition is released with everything it held",
    arguments: [nil, Animation.linear(duration: 1), .spring])
  func releasedAfterTransition(animation: Animation?) {
    let switchboard = Switchboard()
    let host = ViewHost(SwitchView(model: switchboard), size: CGSize(width: 100, height: 100))
    host.update()
    weak let held = switchboard.held
    switchboard.held = nil
    #expect(held != nil)
    withTransaction(Transaction(animation: animation)) { switchboard.showsFirst = false }
    host.update()
    #expect((held != nil) == (animation != nil), "it is still on its way out, or gone at once")
    host.advance(by: 20)
    host.update()
    #expect(held == nil)
  }

  @Test("a window that goes while a change waits to be shown is released", arguments: [true, false])
  func releasedWithWaitingChange(isUnmounted: Bool) {
    weak var held: Held?
    do {
      let switchboard = Switchboard()
      let host = ViewHost(SwitchView(model: switchboard), size: CGSize(width: 100, height: 100))
      host.update()
      held = switchboard.held
      #expect(held != nil)
      switchboard.showsFirst = false
      if isUnmounted { host.unmount() }
    }
    #expect(held == nil)
  }

  @Test("a window that goes while effects raise effects is released")
  func releasedWithWaitingEffects() {
    weak var held: Held?
    do {
      let object = Held()
      held = object
      let host = ViewHost(Parting(held: object), size: CGSize(width: 100, height: 100))
      host.update()
      host.unmount()
    }
    #expect(held == nil)
  }
}

private final class Held {}

/// Changes its own state as it goes.
private struct Parting: View {
  let held: Held
  @State private var count = 0

  var body: some View {
    Text("\(count)")
      .onChange(of: count) { count += 1 }
      .onAppear { count += 1 }
      .onDisappear { count += 1 }
  }
}

@MainActor
private final class Switchboard: ObservableObject {
  @Published var showsFirst = true
  var held: Held? = Held()
}

private struct SwitchView: View {
  @ObservedObject var model: Switchboard

  var body: some View {
    if model.showsFirst {
      Keeper(held: model.held)
    } else {
      Text("second")
    }
  }
}

/// Keeps what it was first given in its state.
private struct Keeper: View {
  @State private var held: Held?

  init(held: Held?) { _held = State(initialValue: held) }

  var body: some View { Text(held == nil ? "nothing" : "first") }
}
