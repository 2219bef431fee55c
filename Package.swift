// swift-tools-version: 6.2
import PackageDescription

// Xcode 27 (Swift 6.4) no longer accepts iOS 13 / macOS 10.15 as deployment targets; older SDKs do.
#if compiler(>=6.4)
  let platforms: [SupportedPlatform] = [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)]
#else
  let platforms: [SupportedPlatform] = [.iOS(.v13), .macOS(.v10_15), .tvOS(.v13), .watchOS(.v6), .visionOS(.v1)]
#endif

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
]

#if os(Linux)
  let isLinux = true
#else
  let isLinux = false
#endif

/// The pipeline alone, for servers and for work on it: no views, hence no Pango and no GTK.
let hasViews = Context.environment["VIGNETTE_WITHOUT_VIEWS"] == nil

/// Targets that exist on Linux only: elsewhere even a dependency with a condition must name one that is there.
func onLinux(_ names: String...) -> [Target.Dependency] {
  isLinux ? names.map { .target(name: $0) } : []
}

/// Parts of the package that whoever depends on it may leave out.
enum OptionalPart: String {
  case colors = "ColorManagement"
  case avif = "AVIF"
  case heic = "HEIC"
  case tiff = "TIFF"
  case jxl = "JXL"
  case svg = "SVG"
}

func onLinux(_ name: String, trait: OptionalPart) -> [Target.Dependency] {
  isLinux ? [.target(name: name, condition: .when(platforms: [.linux], traits: [trait.rawValue]))] : []
}

let traits: Set<Trait> = [
  .default(enabledTraits: [OptionalPart.colors.rawValue, OptionalPart.avif.rawValue]),
  .trait(
    name: OptionalPart.colors.rawValue, description: "Pictures in other colours than sRGB, on Linux: needs liblcms2."),
  .trait(name: OptionalPart.avif.rawValue, description: "AVIF, on Linux: needs libavif."),
  .trait(name: OptionalPart.heic.rawValue, description: "HEIC, on Linux: needs libde265. Off by default."),
  .trait(name: OptionalPart.tiff.rawValue, description: "TIFF, on Linux: needs libtiff. Off by default."),
  .trait(name: OptionalPart.jxl.rawValue, description: "JPEG XL, on Linux: needs libjxl. Off by default."),
  .trait(
    name: OptionalPart.svg.rawValue,
    description: "SVG, on Linux: starts librsvg's rsvg-convert for each drawing. Off by default."),
]

/// What the package says of itself on Apple's platforms.
let privacyManifest = "PrivacyInfo.xcprivacy"

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: settings)
}

/// A small sample in `Examples/NAME`: its views as a library, for tests and windows, and a command that shows them.
func sample(_ name: String) -> [Target] {
  [
    .target(
      name: "\(name)Sample",
      dependencies: ["ExampleSupport", "EaselCore", "VignetteUI", "VignetteUITesting", "Vignette", "HTTPCaching"],
      path: "Examples/\(name)/Views", swiftSettings: settings),
    .executableTarget(
      name: name, dependencies: [.byName(name: "\(name)Sample"), "ExampleSupport"], path: "Examples/\(name)/Main",
      swiftSettings: settings),
  ]
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, resources: resources,
    swiftSettings: settings)
}

var products: [Product] = [
  .library(name: "Pixels", targets: ["Pixels"]),
  .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
  .library(name: "HTTPCaching", targets: ["HTTPCaching"]),
  .library(name: "Vignette", targets: ["Vignette"]),
  .library(name: "VignetteTesting", targets: ["VignetteTesting"]),
]

// Bottom to top: each target knows only those above it in this list.
var targets: [Target] = [
  library("Synchronized"),
  library("Pixels", ["Synchronized"]),
  library(
    "ImageCodecs",
    ["Synchronized", "Pixels"] + onLinux("CImageShims", "CJPEG", "CPNG", "CWebP") + onLinux("CLCMS", trait: .colors)
      + onLinux("CAVIF", trait: .avif) + onLinux("CDE265", trait: .heic) + onLinux("CTIFF", trait: .tiff)
      + onLinux("CJXL", trait: .jxl)),
  library("HTTPCaching", ["Synchronized"] + onLinux("CCurl", "CNettle", "CSQLite")),
  library(
    "Vignette", ["Synchronized", "Pixels", "ImageCodecs", "HTTPCaching"],
    exclude: isLinux ? [privacyManifest] : [], resources: isLinux ? [] : [.process(privacyManifest)]),
  library("VignetteTesting", ["Synchronized", "Vignette", "HTTPCaching", "ImageCodecs", "Pixels"]),

  tests("Pixels", []),
  tests("ImageCodecs", ["Synchronized", "Pixels"], resources: [.copy("Fixtures")]),
  tests("HTTPCaching", ["Synchronized", "VignetteTesting"] + onLinux("StoreWriter")),
  tests("Vignette", ["VignetteTesting", "ImageCodecs", "HTTPCaching", "Pixels"], resources: [.copy("Fixtures")]),
]

if hasViews {
  products.append(.library(name: "VignetteUI", targets: ["VignetteUI"]))
  targets.append(library("VignetteUI", ["Synchronized", "Vignette"] + onLinux("EaselCore")))
}

// Simulators start no processes, so that testing on one leaves the command out: Tools/test-on-simulator.
if Context.environment["VIGNETTE_WITHOUT_COMMAND"] == nil {
  // Where file names ignore case, a product and a library must not differ in it alone: `vignette` is on Linux only.
  products.append(.executable(name: isLinux ? "vignette" : "VignetteCLI", targets: ["VignetteCLI"]))
  targets += [
    .executableTarget(
      name: "VignetteCLI",
      dependencies: ["Synchronized", "Vignette", "HTTPCaching", "ImageCodecs", "Pixels"]
        + onLinux("CLazyCurl", "CachingProxy"),
      swiftSettings: settings),
    tests("VignetteCLI", ["VignetteTesting", "HTTPCaching", "Pixels"]),
  ]
}

#if os(Linux)
  targets += [
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev", "zlib1g-dev"])]),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CJPEG", pkgConfig: "libjpeg", providers: [.apt(["libjpeg62-turbo-dev"])]),
    .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
    // Without pkg-config: what it says of libavif contains a flag (-DAVIF_DLL) that makes SwiftPM warn at every build.
    .systemLibrary(name: "CAVIF", providers: [.apt(["libavif-dev"])]),
    .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    // Without pkg-config, too: SwiftPM asks it for libraries that are not there and not needed.
    .systemLibrary(name: "CDE265", providers: [.apt(["libde265-dev"])]),
    .systemLibrary(name: "CTIFF", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(name: "CJXL", providers: [.apt(["libjxl-dev"])]),
    .target(name: "CImageShims", dependencies: ["CJPEG", "CPNG"], linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CLazyCurl", dependencies: ["CCurl"]),
    library("CachingProxy", ["Synchronized", "HTTPCaching"]),
    tests("CachingProxy", ["Synchronized", "HTTPCaching", "VignetteTesting"]),
    // Run, and killed, by the tests of the disk store.
    .executableTarget(
      name: "StoreWriter", dependencies: ["HTTPCaching", "VignetteTesting"], path: "Tests/StoreWriter",
      swiftSettings: settings),
  ]
#endif

#if os(Linux)
  let viewProducts: [Product] = [
    .library(name: "EaselCore", targets: ["EaselCore"]),
    .library(name: "Easel", targets: ["Easel"]),
    .library(name: "SwiftUI", targets: ["SwiftUI"]),
    .library(name: "VignetteUITesting", targets: ["VignetteUITesting"]),
    .executable(name: "Gallery", targets: ["Gallery"]),
  ]
  let viewTargets: [Target] = [
    .systemLibrary(name: "CPangoCairo", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CGtk", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"])]),
    .target(name: "CEaselGTK", dependencies: ["CGtk"], linkerSettings: [.linkedLibrary("dispatch")]),
    library("EaselCore", ["Synchronized", "Pixels", "CPangoCairo"]),
    library("EaselGTK", ["EaselCore", "CEaselGTK", "Pixels"]),
    library("Easel", ["EaselCore", "EaselGTK"]),
    library("SwiftUI", ["Easel", "VignetteUI"]),
    library("VignetteUITesting", ["EaselCore", "VignetteUI", "VignetteTesting", "Pixels", "ImageCodecs"]),
    .target(
      name: "GalleryApp",
      dependencies: [
        "Vignette", "VignetteUI", "EaselCore", "VignetteTesting", "VignetteUITesting", "HTTPCaching", "ImageCodecs",
        "Pixels",
      ],
      path: "Examples/Gallery/App", resources: [.copy("Photos"), .copy("help.txt")], swiftSettings: settings),
    .target(
      name: "GalleryWindow", dependencies: ["GalleryApp", "Easel"], path: "Examples/Gallery/Window",
      swiftSettings: settings),
    .executableTarget(
      name: "Gallery", dependencies: ["GalleryApp", "GalleryWindow", "Easel"], path: "Examples/Gallery/Main",
      swiftSettings: settings),
    .target(
      name: "ExampleSupport",
      dependencies: ["GalleryApp", "VignetteUITesting", "Easel", "Vignette", "ImageCodecs", "Pixels"],
      path: "Examples/Support", swiftSettings: settings),
    tests("EaselCore", ["Pixels"]),
    tests("EaselGTK", ["EaselCore", "Pixels"]),
    tests(
      "VignetteUI",
      ["VignetteUITesting", "VignetteTesting", "EaselCore", "Vignette", "ImageCodecs", "Pixels", "Synchronized"]),
    .testTarget(
      name: "GalleryTests",
      dependencies: [
        "GalleryApp", "VignetteUITesting", "VignetteTesting", "EaselCore", "Vignette", "ImageCodecs", "Pixels",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "SamplesTests",
      dependencies: [
        "CompatSample", "FullResolutionSample", "CachedListSample", "ExampleSupport", "VignetteUITesting",
        "VignetteTesting", "EaselCore", "Vignette", "ImageCodecs", "Pixels",
      ],
      swiftSettings: settings),
  ]
  if hasViews {
    products += viewProducts
    targets += viewTargets + ["Compat", "FullResolution", "CachedList"].flatMap(sample)
  }
#endif

let package = Package(
  name: "Vignette", platforms: platforms, products: products, traits: traits, targets: targets)
