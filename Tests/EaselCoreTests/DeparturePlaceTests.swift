import EaselCore
import Pixels
import Testing

@MainActor @Suite("The place of what leaves")
struct DeparturePlaceTests {
  /// A layout that is as large as its content, whatever it is offered.
  private struct Hugging: Layout {
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
      subviews.first?.sizeThatFits(proposal) ?? .zero
    }

    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
      for view in subviews {
        view.place(at: CGPoint(x: bounds.midX, y: bounds.midY), anchor: .center, proposal: proposal)
      }
    }
  }

  private final class Model: ObservableObject { @Published var isLarge = false }

  private struct Swap: View {
    @ObservedObject var model: Model

    var body: some View {
      Hugging()() {
        if model.isLarge {
          Color.clear.frame(width: 60, height: 40)
        } else {
          Color(red: 1, green: 0, blue: 0).frame(width: 20, height: 20)
        }
      }
      .frame(width: 20, height: 20)
    }
  }

  @Test("a view replaced by a larger one stays in the middle while it fades")
  func middle() {
    let model = Model()
    let host = ViewHost(Swap(model: model), size: CGSize(width: 20, height: 20))
    #expect(host.render().rgb(1, 1) == [255, 0, 0])
    withAnimation(.linear(duration: 1)) { model.isLarge = true }
    host.update()
    host.advance(by: 0.5)
    let picture = host.render()
    let colours = Set((0..<20).flatMap { y in (0..<20).map { picture.rgb($0, y) } })
    #expect(colours.count == 1, "even over the whole square")
    #expect(picture.rgb(1, 1)[1] > 100 && picture.rgb(1, 1)[1] < 150)
  }
}
