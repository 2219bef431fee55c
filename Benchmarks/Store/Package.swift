// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "StoreBenchmark",
  dependencies: [.package(name: "Vignette", path: "../..")],
  targets: [
    .executableTarget(name: "store-benchmark", dependencies: [.product(name: "HTTPCaching", package: "Vignette")])
  ]
)
