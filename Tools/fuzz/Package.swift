// swift-tools-version: 6.1
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
let codecs: [Target.Dependency] = [
  .product(name: "ImageCodecs", package: "Vignette"), .product(name: "Pixels", package: "Vignette"),
]

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v12)],
  products: [
    .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]),
    .executable(name: "hostile", targets: ["Hostile"]),
  ],
  dependencies: [.package(name: "Vignette", path: "../..")],
  targets: [
    // What must hold of every decode; both programs use it.
    .target(name: "Checks", dependencies: codecs, swiftSettings: settings),
    // A library: libFuzzer, which the script `run` links it with, has the main function.
    .target(name: "FuzzTargets", dependencies: ["Checks"] + codecs, path: "Sources/Fuzz", swiftSettings: settings),
    // The bombs are those of the tests, by symbolic links.
    .executableTarget(
      name: "Hostile", dependencies: ["Checks"] + codecs,
      swiftSettings: settings + [.define("AVIF", .when(platforms: [.linux]))]),
  ]
)
