import Foundation
import ShibeGallery

guard let address = CommandLine.arguments.dropFirst().first, let url = URL(string: address) else {
  print("Usage: Shibes URL\n\nURL/shibes, URL/birds and URL/cats answer with JSON arrays of the addresses of pictures.")
  exit(2)
}
Database.baseUrl = url
MainActor.assumeIsolated { ShibesApp.main() }
