import SwiftUI

/// Every way of writing an asynchronous image.
public struct Forms: View {
  @State private var url: URL?
  private let next: URL?

  public init(url: URL?, next: URL?) {
    _url = State(initialValue: url)
    self.next = next
  }

  public var body: some View {
    VStack {
      AsyncImage(url: url)
        .frame(width: 200, height: 80)
        .clipped()

      AsyncImage(url: url) { image in
        image
      } placeholder: {
        ProgressView()
      }
      .frame(height: 80)
      .clipped()

      AsyncImage(url: url, transaction: .init(animation: .easeIn)) { phase in
        switch phase {
        case .empty:
          ProgressView()
        case .success(let image):
          image
        case .failure(let error):
          Text("\(error.localizedDescription)")
        @unknown default:
          Color.red
        }
      }
      .id(url?.absoluteString ?? UUID().uuidString)
      .frame(height: 80)
      .clipShape(Circle())
      .onAppear {
        DispatchQueue.main.asyncAfter(
          deadline: .now() + 0.1,
          execute: {
            self.url = next
          })
      }

      AsyncImage(
        url: url,
        scale: 2,
        transaction: .init(animation: .easeIn)
      ) { phase in
        switch phase {
        case .empty:
          ProgressView()
        case .success(let image):
          image
            .resizable()
            .scaledToFit()
        case .failure(let error):
          Text("\(error.localizedDescription)")
        @unknown default:
          Color.red
        }
      }
      .frame(width: 200)
    }
  }
}
