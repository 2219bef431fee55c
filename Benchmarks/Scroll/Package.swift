// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ScrollBenchmark",
  dependencies: [.package(name: "Vignette", path: "../..")],
  targets: [
    .executableTarget(
      name: "scroll-benchmark",
      dependencies: [
        .product(name: "Easel", package: "Vignette"), .product(name: "VignetteUI", package: "Vignette"),
        .product(name: "Vignette", package: "Vignette"), .product(name: "VignetteTesting", package: "Vignette"),
      ])
  ]
)
