import EaselCore
import Vignette
import VignetteUI

/// A failure that fills a page: what happened, what to do, and a button where trying again makes sense.
struct FailureView: View {
  let title: String
  let message: String
  let systemImage: String
  var retry: (@MainActor () -> Void)?

  var body: some View {
    VStack(spacing: 12) {
      Image(systemName: systemImage)
        .font(.largeTitle)
        .foregroundColor(.secondary)
      Text(title)
        .font(.headline)
        .multilineTextAlignment(.center)
      Text(message)
        .font(.subheadline)
        .foregroundColor(.secondary)
        .multilineTextAlignment(.center)
      if let retry {
        Button("Try again", action: retry)
          .buttonStyle(.borderedProminent)
          .padding(.top, 4)
      }
    }
    .padding(24)
  }
}

/// A picture that could not be shown, in its row's place.
struct PhotoFailure: View {
  let title: String
  let error: any Error
  @Environment(\.colorScheme) private var colorScheme
  @Environment(\.imageRetry) private var retry

  var body: some View {
    ZStack {
      Palette.card(colorScheme)
      VStack(spacing: 8) {
        Image(systemName: "exclamationmark.triangle")
          .font(.title)
          .foregroundColor(.orange)
        Text((error as? ImageLoadingError)?.message ?? error.localizedDescription)
          .font(.subheadline)
          .multilineTextAlignment(.center)
          .lineLimit(3)
        if let code = (error as? ImageLoadingError)?.code {
          Text(code.rawValue)
            .font(.caption)
            .foregroundColor(.secondary)
        }
        Button("Try again") { retry() }
          .buttonStyle(.bordered)
          .accessibilityLabel("Try again: \(title)")
      }
      .padding(16)
    }
  }
}
