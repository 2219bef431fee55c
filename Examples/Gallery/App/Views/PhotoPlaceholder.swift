import EaselCore

/// What a row shows while its picture loads: a quiet fill that pulses.
struct PhotoPlaceholder: View {
  @Environment(\.colorScheme) private var colorScheme
  @State private var isDimmed = false

  var body: some View {
    ZStack {
      Palette.placeholder(colorScheme)
      ProgressView()
    }
    .opacity(isDimmed ? 0.5 : 1)
    .onAppear {
      withAnimation(.easeInOut(duration: 0.8).repeatForever()) { isDimmed = true }
    }
    .onDisappear { isDimmed = false }
  }
}
