#if !canImport(Darwin)
  import EaselCore

  /// Shows `content` unchanged and tells the size it is offered.
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
      content.onAppear { report(nil, nil) }
    }
  }

  extension Color {
    static let placeholderFill = Color.secondarySystemFill
  }
#endif
