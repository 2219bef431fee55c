// Code written for Apple's AsyncImage, with only the type's name changed; on the oldest systems.
import SwiftUI
import VignetteUI

struct CompatCalls: View {
  let url: URL?

  var body: some View {
    AsyncImageCompat(url: url)
    AsyncImageCompat(url: url, scale: 2)
    AsyncImageCompat(url: url) { image in
      image.resizable().scaledToFill()
    } placeholder: {
      EmptyView()
    }
    .frame(width: 80, height: 80)
    AsyncImageCompat(url: url, scale: 2, transaction: Transaction(animation: .default)) { phase in
      if let image = phase.image {
        image.resizable()
      } else if let error = phase.error {
        Text(error.localizedDescription)
      }
    }
    AsyncImageCompat(request: url.map { URLRequest(url: $0) }) { phase in
      switch phase {
      case .empty: EmptyView()
      case .success(let image): image
      case .failure: RetryCall()
      @unknown default: EmptyView()
      }
    }
  }
}

struct RetryCall: View {
  @Environment(\.imageRetry) private var retry

  var body: some View {
    Button(action: { retry() }) { Text(verbatim: "Retry") }
  }
}
