/// How a load goes about it. Loads that differ in this do not join: one that asks the source again must not be
/// answered by one that does not.
struct LoadMode: Hashable, Sendable {
  var policy: ImageCachePolicy
  var isLowData = false
}

/// Which bytes are fetched.
struct SourceWork: Hashable, Sendable {
  var key: SourceKey
  var mode: LoadMode
}

/// Which picture is made.
struct PictureWork: Hashable, Sendable {
  var key: ImageKey
  var mode: LoadMode
}
