import SwiftUI

/// The same code twice; only the type's name differs.
public struct SideBySide: View {
  let url: URL?

  public init(url: URL?) { self.url = url }

  public var body: some View {
    HStack {
      AsyncImage(
        url: url,
        transaction: .init(animation: .easeInOut(duration: 2))
      ) { phase in
        if let image = phase.image {
          image
            .resizable()
        } else if phase.error != nil {
          Color.red
        } else {
          Color.blue
        }
      }
      .frame(width: 128, height: 128)
      .clipShape(RoundedRectangle(cornerRadius: 24))

      AsyncImageCompat(
        url: url,
        transaction: .init(animation: .easeInOut(duration: 2))
      ) { phase in
        if let image = phase.image {
          image
            .resizable()
        } else if phase.error != nil {
          Color.red
        } else {
          Color.blue
        }
      }
      .frame(width: 128, height: 128)
      .clipShape(RoundedRectangle(cornerRadius: 24))
    }
  }
}
