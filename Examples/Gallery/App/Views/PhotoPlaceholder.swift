import EaselCore
import VignetteUI

/// What a row shows while its picture loads: a quiet fill that pulses, and how much has arrived where that is known.
struct PhotoPlaceholder: View {
  @Environment(\.colorScheme) private var colorScheme
  @State private var isDimmed = false

  var body: some View {
    ZStack {
      Palette.placeholder(colorScheme)
      LoadingIndicator()
    }
    .opacity(isDimmed ? 0.5 : 1)
    .onAppear {
      withAnimation(.easeInOut(duration: 0.8).repeatForever()) { isDimmed = true }
    }
    .onDisappear { isDimmed = false }
  }
}

/// A bar where the server has said how much there is to come, else a spinner. Of a row, this alone is evaluated as the
/// bytes arrive.
private struct LoadingIndicator: View {
  @Environment(\.asyncImageProgress) private var progress

  var body: some View {
    if let fraction = progress?.fraction {
      ProgressView(value: fraction)
        .frame(width: 120)
    } else {
      ProgressView()
    }
  }
}
