// swift-tools-version: 6.1
import Foundation
import PackageDescription

let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny")]
let codecs: [Target.Dependency] = [
  .product(name: "ImageCodecs", package: "Vignette"), .product(name: "Pixels", package: "Vignette"),
]

/// The traits that are off by default, where their libraries are installed; the script `run` links the same ones.
let traits = [
  ("HEIC", "libde265/de265.h"), ("TIFF", "tiffio.h"), ("JXL", "jxl/decode.h"),
]
.filter { _, header in
  ["/usr/include", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu"].contains {
    FileManager.default.fileExists(atPath: "\($0)/\(header)")
  }
}
.map(\.0)

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v12)],
  products: [
    .library(name: "FuzzTargets", type: .static, targets: ["FuzzTargets"]),
    .executable(name: "hostile", targets: ["Hostile"]),
  ],
  dependencies: [
    .package(
      name: "Vignette", path: "../..", traits: Set([.defaults] + traits.map { Package.Dependency.Trait(name: $0) }))
  ],
  targets: [
    // What must hold of every decode; both programs use it.
    .target(name: "Checks", dependencies: codecs, swiftSettings: settings),
    // A library: libFuzzer, which the script `run` links it with, has the main function.
    .target(name: "FuzzTargets", dependencies: ["Checks"] + codecs, path: "Sources/Fuzz", swiftSettings: settings),
    // The bombs are those of the tests, by symbolic links.
    .executableTarget(
      name: "Hostile", dependencies: ["Checks"] + codecs,
      swiftSettings: settings + (["AVIF"] + traits).map { .define($0, .when(platforms: [.linux])) }),
  ]
)
