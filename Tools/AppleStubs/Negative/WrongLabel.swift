// expect: missing argument for parameter 'content' in call
import SwiftUI
import VignetteUI

struct WrongLabel: View {
  var body: some View {
    AsyncImageCompat(url: nil, placeholder: { EmptyView() })
  }
}
