/// The three lists of the gallery, each a tab.
public enum Topic: String, CaseIterable, Identifiable, Sendable {
  case nature, space, studio

  public var id: String { rawValue }

  var title: String {
    switch self {
    case .nature: "Nature"
    case .space: "Space"
    case .studio: "Studio"
    }
  }

  var systemImage: String {
    switch self {
    case .nature: "leaf"
    case .space: "flame"
    case .studio: "bolt"
    }
  }
}
