// only: ios13 macos
// expect: 'AsyncImagePhase' is only available in
import SwiftUI
import VignetteUI

func tooNewClient(_ phase: AsyncImagePhase) {}
