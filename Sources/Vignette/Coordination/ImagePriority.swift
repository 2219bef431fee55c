/// How soon a picture is wanted. A piece of work has the highest priority of all who wait for it, at every moment.
///
/// `visible` and `urgent` work starts newest first, because what has just scrolled in matters most; all other work
/// starts oldest first. `prefetch` never takes the last free place of a stage, and gives its own up between rows when
/// something visible waits. Nothing else starves: now and then the oldest of all that waits goes first.
public enum ImagePriority: Int, Comparable, Sendable, CaseIterable {
  /// Wanted later, perhaps never.
  case prefetch
  /// Wanted soon; nobody looks at it.
  case background
  /// Wanted by a program rather than by a person, such as a server's own thumbnails.
  case normal
  /// On screen. The default of a request.
  case visible
  /// What the user has just asked for, such as one picture at its full size.
  case urgent

  public static func < (one: ImagePriority, other: ImagePriority) -> Bool { one.rawValue < other.rawValue }

  /// Whether newer work of this level goes before older.
  var isNewestFirst: Bool { self >= .visible }

  /// The part of a connection it is worth, 0 to 1: a quarter for each level.
  var share: Double { Double(rawValue) / Double(Self.urgent.rawValue) }

  /// Never `.background`, which Apple's systems hold back while anything else runs: a task that prefetch began may be
  /// one that a view is waiting for by now.
  var task: TaskPriority {
    switch self {
    case .urgent, .visible: .userInitiated
    case .normal: .medium
    case .background, .prefetch: .utility
    }
  }
}
