// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "TransportBenchmark",
  dependencies: [.package(name: "Vignette", path: "../..")],
  targets: [
    .executableTarget(
      name: "transport-benchmark", dependencies: [.product(name: "HTTPCaching", package: "Vignette")])
  ]
)
