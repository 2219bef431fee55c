import Easel
import VignetteTesting
import VignetteUI

/// The list that is scrolled: each row loads a picture of its own and fades it in.
struct Rows: View {
  let count: Int
  let address: (Int) -> URL

  static let size = CGSize(width: 480, height: 720)

  var body: some View {
    ScrollView {
      LazyVStack(spacing: 12) {
        ForEach(0..<count, id: \.self) { index in
          Row(index: index, url: address(index))
        }
      }
    }
  }
}

private struct Row: View {
  let index: Int
  let url: URL

  var body: some View {
    VStack(alignment: .leading, spacing: 6) {
      CachedAsyncImage(url: url, transaction: Transaction(animation: .easeInOut(duration: 0.4))) { phase in
        if let image = phase.image {
          image.resizable().aspectRatio(contentMode: .fill)
        } else {
          Color.gray.opacity(0.2)
        }
      }
      .frame(height: 100)
      .frame(maxWidth: .infinity)
      .clipShape(RoundedRectangle(cornerRadius: 16, style: .continuous))
      Text("Photo number \(index)").font(.headline).lineLimit(1)
    }
    .padding(.horizontal)
  }
}

/// Serves the gallery's smaller photos on a loopback port, each under as many addresses as there are rows.
struct PhotoServer {
  private static let names = ["astronaut.jpg", "chelsea.png", "coffee.jpg", "coffee.webp", "rocket.jpg", "retina.jpg"]
  private let server: ScriptedServer

  init(photos: URL) throws {
    let files = Self.names.map { photos.appendingPathComponent($0) }
    server = try ScriptedServer { request in
      guard let row = Int(request.path.dropFirst()) else { return .status(404) }
      return .file(files[row % files.count])
    }
  }

  func address(_ row: Int) -> URL { server.url("/\(row)") }

  func stop() { server.stop() }
}
