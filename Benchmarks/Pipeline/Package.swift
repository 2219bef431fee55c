// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "PipelineBenchmark",
  dependencies: [.package(name: "Vignette", path: "../..")],
  targets: [
    .executableTarget(
      name: "pipeline-benchmark",
      dependencies: ["Vignette", "HTTPCaching", "ImageCodecs", "Pixels"].map {
        .product(name: $0, package: "Vignette")
      })
  ]
)
