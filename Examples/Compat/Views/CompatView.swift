import EaselCore
import Foundation
import VignetteUI

/// `AsyncImage` and `AsyncImageCompat` side by side: a picture, one that cannot be had, and one without an address.
/// The code of both columns is the same but for the type's name.
public struct CompatView: View {
  let picture: URL?
  let missing: URL?

  public init(picture: URL?, missing: URL?) {
    self.picture = picture
    self.missing = missing
  }

  public var body: some View {
    VStack(spacing: 16) {
      PairRow(title: "Loaded", url: picture)
      PairRow(title: "Failed", url: missing)
      PairRow(title: "Nothing to load", url: nil)
    }
    .padding()
  }
}

private struct PairRow: View {
  let title: String
  let url: URL?

  var body: some View {
    VStack(spacing: 8) {
      Text(title)
        .font(.headline)
      HStack(spacing: 16) {
        column("AsyncImage") {
          AsyncImage(url: url, transaction: .init(animation: .easeInOut(duration: 2))) { phase in
            if let image = phase.image {
              image
                .resizable()
                .scaledToFill()
                .accessibilityLabel("AsyncImage")
            } else if phase.error != nil {
              Color.red
                .accessibilityLabel("AsyncImage, failed")
            } else {
              Color.blue
            }
          }
        }
        column("AsyncImageCompat") {
          AsyncImageCompat(url: url, transaction: .init(animation: .easeInOut(duration: 2))) { phase in
            if let image = phase.image {
              image
                .resizable()
                .scaledToFill()
                .accessibilityLabel("AsyncImageCompat")
            } else if phase.error != nil {
              Color.red
                .accessibilityLabel("AsyncImageCompat, failed")
            } else {
              Color.blue
            }
          }
        }
      }
    }
  }

  private func column(_ name: String, @ViewBuilder _ image: () -> some View) -> some View {
    VStack(spacing: 4) {
      image()
        .frame(width: 128, height: 128)
        .clipShape(RoundedRectangle(cornerRadius: 24))
      Text(name)
        .font(.caption)
        .foregroundColor(.secondary)
    }
  }
}
