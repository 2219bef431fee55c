#if !canImport(Darwin)
  /// SwiftUI's `AsyncImage`, which Linux does not have (developer.apple.com/documentation/swiftui/asyncimage): the same
  /// view by Apple's name, so that code written for Apple's compiles unchanged.
  public typealias AsyncImage = CachedAsyncImage
#endif
