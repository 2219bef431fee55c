import SwiftUI

struct ImageList: View {
  @Environment(\.colorScheme) var colorScheme

  @Binding var images: [String]?
  var title: String

  var body: some View {
    NavigationView {
      Group {
        if images != nil {
          ScrollView {
            LazyVStack(spacing: 15) {
              // swift-format-ignore: NeverForceUnwrap
              ForEach(images!, id: \.self) { image in
                AsyncImage(url: URL(string: image)) { phase in
                  if let image = phase.image {
                    image.resizable().aspectRatio(contentMode: .fit)
                  } else if phase.error != nil {
                    Color.red
                  } else {
                    ImagePlaceHolder()
                  }
                }
                .frame(height: 200)
                .clipShape(RoundedRectangle(cornerRadius: 20, style: .continuous))
                .padding(.horizontal)
              }
            }
          }
          .background(
            colorScheme == .light
              ? Color(red: 245 / 255, green: 245 / 255, blue: 250 / 255, opacity: 1) : Color.black)
        } else {
          ProgressView()
        }
      }
      .navigationTitle(title)
    }
  }
}

struct ImagePlaceHolder: View {
  @Environment(\.colorScheme) var colorScheme

  @State private var isAnimating = false

  var body: some View {
    ZStack {
      colorScheme == .light ? Color.black.opacity(0.3) : Color.white.opacity(0.3)
      ProgressView()
    }
    .opacity(isAnimating ? 0.5 : 1)
    .onAppear {
      withAnimation(Animation.easeInOut(duration: 0.8).repeatForever()) {
        isAnimating = true
      }
    }
    .onDisappear {
      isAnimating = false
    }
  }
}
