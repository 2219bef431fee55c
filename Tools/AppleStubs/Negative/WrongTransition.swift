// expect: type 'AsyncImageTransition' has no member 'fade'
import SwiftUI
import VignetteUI

func wrongTransition(_ view: AsyncImageCompat<Image>) -> some View {
  view.asyncImageTransition(.fade)
}
