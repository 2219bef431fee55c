// only: ios15
// expect: cannot convert value of type 'Int' to expected argument type 'CGSize'
import SwiftUI
import VignetteUI

func wrongSize(_ url: URL?) -> some View {
  CachedAsyncImage(url: url, compressedSize: 80, loadFullResolution: false) { _ in EmptyView() }
}
