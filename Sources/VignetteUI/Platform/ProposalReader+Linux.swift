#if !canImport(Darwin)
  import EaselCore

  /// Shows `content` unchanged and tells the size it is offered, during layout, before its first frame is drawn.
  struct ProposalReader<Content: View>: View {
    let isActive: Bool
    let report: @MainActor (CGFloat?, CGFloat?) -> Void
    let content: Content

    init(
      isActive: Bool, report: @escaping @MainActor (CGFloat?, CGFloat?) -> Void, @ViewBuilder content: () -> Content
    ) {
      self.isActive = isActive
      self.report = report
      self.content = content()
    }

    var body: some View {
      if isActive {
        ProposalLayout(report: report) { content }
      } else {
        content
      }
    }
  }

  /// A layout that agrees to whatever its content says. Several views lie on top of one another.
  private struct ProposalLayout: Layout {
    let report: @MainActor (CGFloat?, CGFloat?) -> Void

    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
      subviews.reduce(into: CGSize.zero) { union, view in
        let size = view.sizeThatFits(proposal)
        union = CGSize(width: max(union.width, size.width), height: max(union.height, size.height))
      }
    }

    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
      for view in subviews {
        view.place(at: CGPoint(x: bounds.midX, y: bounds.midY), anchor: .center, proposal: proposal)
      }
      // Easel lays out on the main actor; a larger size wanted starts its load in this same update.
      MainActor.assumeIsolated { report(proposal.width, proposal.height) }
    }
  }

  extension Color {
    static let placeholderFill = Color.secondarySystemFill
  }
#endif
