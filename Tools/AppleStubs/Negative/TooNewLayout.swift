// expect: 'LayoutSubview' is only available in
import SwiftUI

func tooNewLayout(_ subview: LayoutSubview) {}
