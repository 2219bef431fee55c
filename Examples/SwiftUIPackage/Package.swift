// swift-tools-version: 6.2
import PackageDescription

/// The package two folders up goes by the name of its folder: module aliases are looked up by that, whatever the
/// package calls itself.
let vignette = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init) ?? "Vignette"

// Sources that say `import SwiftUI`, unchanged, on Linux. The alias is what makes it work: the module itself is built
// under another name, so that `canImport(SwiftUI)` answers the same in a clean build and in the next one.
let swiftUI = Target.Dependency.product(
  name: "SwiftUI", package: vignette, moduleAliases: ["SwiftUI": "EaselSwiftUI"])

let package = Package(
  name: "SwiftUIPackage",
  dependencies: [.package(path: "../..")],
  targets: [
    .target(name: "ShibeGallery", dependencies: [swiftUI]),
    .target(name: "CallSites", dependencies: [swiftUI]),
    .executableTarget(
      name: "Tour",
      dependencies: [
        "ShibeGallery", "CallSites", swiftUI,
        .product(name: "Vignette", package: vignette),
        .product(name: "VignetteTesting", package: vignette),
        .product(name: "VignetteUITesting", package: vignette),
        .product(name: "ImageCodecs", package: vignette),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
