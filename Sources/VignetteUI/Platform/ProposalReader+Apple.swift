#if canImport(Darwin)
  import SwiftUI

  /// Shows `content` and tells the size it is offered, also while the content is empty. Several views lie on top of one
  /// another.
  ///
  /// From iOS 16 and macOS 13 on, the proposal itself is read, by a layout that passes everything through. Earlier
  /// systems cannot tell it; there the size drawn is reported, which a placeholder that fills its space makes the same.
  /// A smaller placeholder brings a small picture first, and what that is drawn at the right one.
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
        // A stack is there to appear, and to be measured, even when its content is nothing at all.
        ZStack { content }
          .background(GeometryReader { proxy in Color.clear.preference(key: DrawnSize.self, value: proxy.size) })
          .onPreferenceChange(DrawnSize.self) { size in
            guard let size else { return }
            MainActor.assumeIsolated { report(size.width, size.height) }
          }
      }
    }
  }

  /// `nil` until something has been measured, so that a size of zero counts as a change.
  private struct DrawnSize: PreferenceKey {
    static var defaultValue: CGSize? { nil }

    static func reduce(value: inout CGSize?, nextValue: () -> CGSize?) {
      guard let next = nextValue() else { return }
      value = CGSize(width: max(value?.width ?? 0, next.width), height: max(value?.height ?? 0, next.height))
    }
  }

  /// A layout that agrees to whatever its content says.
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
  private struct ProposalLayout: Layout {
    let report: @MainActor (CGFloat?, CGFloat?) -> Void

    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
      // With nothing to place, placing is never asked for.
      if subviews.isEmpty { tell(isBounded(proposal) ? proposal : ProposedViewSize(width: 1, height: 1)) }
      return subviews.reduce(into: CGSize.zero) { union, view in
        let size = view.sizeThatFits(proposal)
        union = CGSize(width: max(union.width, size.width), height: max(union.height, size.height))
      }
    }

    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
      for view in subviews {
        view.place(at: CGPoint(x: bounds.midX, y: bounds.midY), anchor: .center, proposal: proposal)
      }
      tell(proposal)
    }

    private func isBounded(_ proposal: ProposedViewSize) -> Bool {
      proposal.width?.isFinite == true || proposal.height?.isFinite == true
    }

    private func tell(_ proposal: ProposedViewSize) {
      let (width, height) = (proposal.width, proposal.height)
      // Layout may run off the main thread; a load starts on it.
      Task { @MainActor in report(width, height) }
    }
  }
#endif
