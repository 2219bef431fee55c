import EaselCore
import Pixels
import Testing

@MainActor @Suite("A first frame")
struct FirstFrameTests {
  struct Counter: View {
    @State private var count = 0

    var body: some View {
      VStack(spacing: 12) {
        Text("Count \(count)").font(.largeTitle).bold()
        HStack {
          Button("Add") { count += 1 }.buttonStyle(.bordered)
          Button("Clear", role: .destructive) { withAnimation { count = 0 } }.buttonStyle(.borderedProminent)
        }
        if count > 1 {
          Color.orange.frame(height: 20)
        }
        RoundedRectangle(cornerRadius: 12).fill(Color.blue.opacity(0.5)).frame(width: 120, height: 40)
        Image(systemName: "nothing")
        ForEach(0..<2) { Text("Row \($0)").foregroundColor(.secondary) }
      }
      .padding()
    }
  }

  @Test("a button changes the state that a text shows")
  func counter() {
    let host = ViewHost(Counter(), size: CGSize(width: 320, height: 400), scale: 2)
    PNGWriter.write(host.render(), "counter")
    #expect(host.element(labeled: "Count 0") != nil)
    #expect(host.activate("Add"))
    #expect(host.activate("Add"))
    #expect(host.element(labeled: "Count 2")?.role == .text)
    PNGWriter.write(host.render(), "counter2")
    #expect(host.activate("Clear"))
    #expect(host.element(labeled: "Count 0") != nil)
    host.advance(by: 0.3)
    PNGWriter.write(host.render(), "counter3")
  }
}
