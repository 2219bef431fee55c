// Lets sources written for Apple's platforms keep their `import SwiftUI` on Linux. Opt-in: nothing in this package
// depends on it, and a package that does gives it an alias (Examples/SwiftUIPackage).
#if !canImport(Darwin)
  @_exported import Easel
  @_exported import VignetteUI
#endif
