import EaselCore
import Foundation
import Vignette
import VignetteUI

/// A picture that is decoded small first. Its context menu loads every pixel; the small one stays until they are there.
public struct FullResolutionView: View {
  public static let menuEntry = "Load Full Resolution"
  public static let browserEntry = "Open in Browser"

  let url: URL?
  @State private var wantsFullResolution = false
  @Environment(\.openURL) private var openURL

  public init(url: URL?) { self.url = url }

  public var body: some View {
    VStack(spacing: 12) {
      CachedAsyncImage(
        url: url, transaction: .init(animation: .easeIn), compressedSize: CGSize(width: 32, height: 32),
        loadFullResolution: wantsFullResolution
      ) { phase in
        switch phase {
        case .empty:
          ProgressView()
        case .success(let image):
          image
            .resizable()
            .scaledToFit()
            .accessibilityLabel("Photo")
        case .failure(let error):
          Text((error as? ImageLoadingError)?.message ?? error.localizedDescription)
        @unknown default:
          Color.red
        }
      }
      .frame(maxWidth: .infinity, minHeight: 240)
      .contextMenu {
        if !wantsFullResolution {
          Button(action: { wantsFullResolution = true }, label: { Text(Self.menuEntry) })
        }
        if let url {
          Button(action: { openURL(url) }, label: { Text(Self.browserEntry) })
        }
      }
      Text(wantsFullResolution ? "Every pixel, as asked" : "A small picture: open its menu for every pixel")
        .font(.footnote)
        .foregroundColor(.secondary)
    }
    .padding()
  }
}
