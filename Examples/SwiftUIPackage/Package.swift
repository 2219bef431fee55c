// swift-tools-version: 6.2
import PackageDescription

/// The package two folders up goes by the name of its folder: module aliases are looked up by that, whatever the
/// package calls itself.
let vignette = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init) ?? "Vignette"

// The module that `import SwiftUI` means in the screens is built under another name, so that `canImport(SwiftUI)`
// answers the same in a clean build and in the next one.
let aliases = ["SwiftUI": "EaselSwiftUI"]
let gallery = Target.Dependency.product(name: "ShibeGallery", package: "Screens", moduleAliases: aliases)
let callSites = Target.Dependency.product(name: "CallSites", package: "Screens", moduleAliases: aliases)

let package = Package(
  name: "SwiftUIPackage",
  dependencies: [.package(path: "Screens"), .package(path: "../..")],
  targets: [
    .executableTarget(name: "Shibes", dependencies: [gallery]),
    .executableTarget(
      name: "Tour",
      dependencies: [
        gallery, callSites,
        .product(name: "EaselCore", package: vignette),
        .product(name: "Vignette", package: vignette),
        .product(name: "VignetteTesting", package: vignette),
        .product(name: "VignetteUITesting", package: vignette),
        .product(name: "ImageCodecs", package: vignette),
        .product(name: "Pixels", package: vignette),
      ]),
  ],
  swiftLanguageModes: [.v5]
)
