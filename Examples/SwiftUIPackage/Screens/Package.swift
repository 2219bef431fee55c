// swift-tools-version: 6.2
import PackageDescription

/// The package three folders up goes by the name of its folder: module aliases are looked up by that, whatever the
/// package calls itself.
let vignette = Context.packageDirectory.split(separator: "/").dropLast(3).last.map(String.init) ?? "Vignette"
let swiftUI = Target.Dependency.product(name: "SwiftUI", package: vignette)

// Sources that say `import SwiftUI`, as they were written for Apple's platforms.
let package = Package(
  name: "Screens",
  products: [
    .library(name: "ShibeGallery", targets: ["ShibeGallery"]),
    .library(name: "CallSites", targets: ["CallSites"]),
  ],
  dependencies: [.package(path: "../../..")],
  targets: [
    .target(name: "ShibeGallery", dependencies: [swiftUI]),
    .target(name: "CallSites", dependencies: [swiftUI]),
  ],
  swiftLanguageModes: [.v5]
)
