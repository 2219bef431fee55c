// expect: cannot convert value of type 'String' to expected argument type 'CGFloat'
import CoreGraphics
import SwiftUI

func wrongArgument(_ image: CGImage) -> Image {
  Image(decorative: image, scale: "2")
}
