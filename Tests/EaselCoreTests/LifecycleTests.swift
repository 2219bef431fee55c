import EaselCore
import Testing

@MainActor @Suite("Lifecycle")
struct LifecycleTests {
  let size = CGSize(width: 200, height: 200)

  struct Subject: View {
    @State var isShown = true
    @State var value = 0
    let journal: Journal

    var body: some View {
      VStack {
        if isShown {
          Text("subject")
            .onAppear { journal.note("inner appears") }
            .onDisappear { journal.note("inner disappears") }
            .onAppear { journal.note("outer appears") }
            .onChange(of: value) { old, new in journal.note("\(old) to \(new)") }
            .onChange(of: value, initial: true) { journal.note("value \(value)") }
        }
        Button("toggle") { isShown.toggle() }
        Button("increase") { value += 1 }
      }
    }
  }

  @Test("appearances come before the first frame, from the inside out; changes after")
  func order() {
    let journal = Journal()
    let host = ViewHost(Subject(journal: journal), size: size)
    host.update()
    #expect(journal.take() == ["inner appears", "outer appears", "value 0"])
    host.activate("increase")
    host.update()
    #expect(journal.take() == ["0 to 1", "value 1"])
    host.activate("toggle")
    host.update()
    #expect(journal.take() == ["inner disappears"])
    host.activate("increase")
    host.activate("toggle")
    host.update()
    #expect(journal.take() == ["inner appears", "outer appears", "value 2"])
  }

  @Test("state set on appearance is in the first frame")
  func stateOnAppearance() {
    struct Parent: View {
      @State var text = "before"
      var body: some View { Text(text).onAppear { text = "after" } }
    }
    #expect(ViewHost(Parent(), size: size).element(labeled: "after") != nil)
  }

  @Test("a task starts on appearance and is cancelled on disappearance")
  func task() async {
    let journal = Journal()
    struct Parent: View {
      @State var isShown = true
      let journal: Journal
      var body: some View {
        VStack {
          if isShown {
            Text("x").task {
              journal.note("start")
              await untilCancelled()
              journal.note("cancelled")
            }
          }
          Button("toggle") { isShown.toggle() }
        }
      }
    }
    let host = ViewHost(Parent(journal: journal), size: size)
    host.update()
    #expect(await eventually { journal.entries == ["start"] })
    host.activate("toggle")
    host.update()
    #expect(await eventually { journal.entries == ["start", "cancelled"] })
  }

  @Test("a task with an id starts anew when the id changes")
  func taskID() async {
    let journal = Journal()
    struct Parent: View {
      @State var id = 1
      let journal: Journal
      var body: some View {
        Button("next") { id += 1 }
          .task(id: id) {
            let id = id
            journal.note("start \(id)")
            await untilCancelled()
            journal.note("end \(id) \(Task.isCancelled)")
          }
      }
    }
    let host = ViewHost(Parent(journal: journal), size: size)
    host.update()
    #expect(await eventually { journal.entries == ["start 1"] })
    host.activate("next")
    host.update()
    #expect(await eventually { journal.entries.count == 3 })
    #expect(Set(journal.entries) == ["start 1", "end 1 true", "start 2"])
    host.unmount()
    #expect(await eventually { journal.entries.contains("end 2 true") })
  }

  @Test("unmounting makes everything disappear, once")
  func unmount() {
    let journal = Journal()
    let host = ViewHost(Subject(journal: journal), size: size)
    host.update()
    _ = journal.take()
    host.unmount()
    host.unmount()
    #expect(journal.take() == ["inner disappears"])
    #expect(host.accessibilityTree().isEmpty)
    #expect(host.render().rgb(5, 5) == [255, 255, 255])
  }

  @Test("nodes and observed objects go when a host is released")
  func release() {
    final class Model: ObservableObject {}
    struct Parent: View {
      @ObservedObject var model: Model
      var body: some View { Text("x").onAppear {} }
    }
    weak var released: Model?
    do {
      let host = ViewHost(
        {
          let model = Model()
          released = model
          return Parent(model: model)
        }(), size: size)
      host.update()
      host.unmount()
    }
    #expect(released == nil)
  }
}
