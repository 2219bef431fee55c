#if canImport(Darwin)
  import SwiftUI
  import Synchronized

  /// Shows `content` unchanged and tells the size it is offered.
  ///
  /// From iOS 16 and macOS 13 on, the proposal itself is read, by a layout that passes everything through. Earlier
  /// systems cannot tell it; there the size drawn is reported, which a placeholder that fills its space makes the same.
  struct ProposalReader<Content: View>: View {
    private let isActive: Bool
    private let report: @MainActor (CGFloat?, CGFloat?) -> Void
    private let content: Content

    init(
      isActive: Bool, report: @escaping @MainActor (CGFloat?, CGFloat?) -> Void, @ViewBuilder content: () -> Content
    ) {
      self.isActive = isActive
      self.report = report
      self.content = content()
    }

    var body: some View {
      if !isActive {
        content
      } else if #available(iOS 16, macOS 13, tvOS 16, watchOS 9, *) {
        ProposalLayout(report: report) { content }
      } else {
        content
          .background(GeometryReader { proxy in Color.clear.preference(key: DrawnSize.self, value: proxy.size) })
          .onPreferenceChange(DrawnSize.self) { size in
            MainActor.assumeIsolated { report(size.width, size.height) }
          }
      }
    }
  }

  private struct DrawnSize: PreferenceKey {
    static var defaultValue: CGSize { .zero }

    static func reduce(value: inout CGSize, nextValue: () -> CGSize) {
      let next = nextValue()
      value = CGSize(width: max(value.width, next.width), height: max(value.height, next.height))
    }
  }

  /// A layout that agrees to whatever its child says, and lays several over each other.
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
  private struct ProposalLayout: Layout {
    let report: @MainActor (CGFloat?, CGFloat?) -> Void

    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
      subviews.reduce(.zero) { largest, subview in
        let size = subview.sizeThatFits(proposal)
        return CGSize(width: max(largest.width, size.width), height: max(largest.height, size.height))
      }
    }

    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
      let center = CGPoint(x: bounds.midX, y: bounds.midY)
      for subview in subviews { subview.place(at: center, anchor: .center, proposal: proposal) }
      let (width, height) = (proposal.width, proposal.height)
      // Layout may run off the main thread; a load starts on it.
      Task { @MainActor in report(width, height) }
    }
  }
#endif
