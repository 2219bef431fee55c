// only: ios13 macos
// expect: 'AsyncImage' is only available in
import SwiftUI

struct TooNewView: View {
  var body: some View {
    AsyncImage(url: nil)
  }
}
