// only: ios13 macos
// expect: 'CachedAsyncImage' is only available in
import SwiftUI
import VignetteUI

struct TooNewOurs: View {
  var body: some View {
    CachedAsyncImage(url: nil)
  }
}
