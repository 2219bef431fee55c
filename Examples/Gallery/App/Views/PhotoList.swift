import EaselCore
import Foundation
import VignetteUI

/// A lazy list of rounded pictures.
struct PhotoList: View {
  let photos: [Photo]

  var body: some View {
    ScrollView {
      LazyVStack(spacing: 20) {
        ForEach(photos) { photo in
          PhotoRow(photo: photo)
        }
      }
      .padding(.vertical, 8)
    }
  }
}

struct PhotoRow: View {
  static let pictureHeight: CGFloat = 220

  let photo: Photo
  @State private var showsWhole = false

  var body: some View {
    VStack(alignment: .leading, spacing: 8) {
      CachedAsyncImage(url: photo.url, transaction: Transaction(animation: .easeInOut(duration: 0.4))) { phase in
        if let image = phase.image {
          image
            .resizable()
            .aspectRatio(contentMode: showsWhole ? .fit : .fill)
            .accessibilityLabel(photo.title)
        } else if let error = phase.error {
          PhotoFailure(title: photo.title, error: error)
        } else {
          PhotoPlaceholder()
        }
      }
      // What matters in a tall photo is more often in its upper half.
      .frame(height: Self.pictureHeight, alignment: .top)
      .frame(maxWidth: .infinity)
      .clipShape(RoundedRectangle(cornerRadius: 20, style: .continuous))
      .contextMenu {
        Button(showsWhole ? "Fill the row" : "Show the whole picture") { showsWhole.toggle() }
      }

      HStack(alignment: .firstTextBaseline) {
        Text(photo.title)
          .font(.headline)
          .lineLimit(1)
        Spacer()
        Text(photo.credit)
          .font(.footnote)
          .foregroundColor(.secondary)
          .lineLimit(1)
      }
      .padding(.horizontal, 4)
    }
    .padding(.horizontal)
  }
}
