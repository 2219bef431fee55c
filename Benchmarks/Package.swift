// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v12)],
  dependencies: [.package(name: "Vignette", path: "..")],
  targets: ["decode", "thumbnails"].map { name in
    .executableTarget(
      name: name,
      dependencies: [
        .product(name: "ImageCodecs", package: "Vignette"), .product(name: "Pixels", package: "Vignette"),
      ])
  } + [
    .target(name: "CCountingMalloc"),
    .executableTarget(
      name: "hot-paths",
      dependencies: [
        "CCountingMalloc", .product(name: "Vignette", package: "Vignette"),
        .product(name: "ImageCodecs", package: "Vignette"), .product(name: "Pixels", package: "Vignette"),
      ]),
  ]
)
