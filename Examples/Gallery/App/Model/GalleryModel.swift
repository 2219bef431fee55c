import EaselCore
import Foundation

/// The app's state: one list a topic, each loading, loaded or failed. Nothing ends in an endless spinner.
@MainActor
public final class GalleryModel: ObservableObject {
  enum List {
    case loading
    case loaded([Photo])
    case failed(String)
  }

  @Published private(set) var lists: [Topic: List] = [:]

  private let api: GalleryAPI
  private let count: Int

  /// - Parameter count: rows asked for in each list.
  public init(api: GalleryAPI, count: Int) {
    self.api = api
    self.count = count
  }

  func list(_ topic: Topic) -> List { lists[topic] ?? .loading }

  func photos(_ topic: Topic) -> [Photo] {
    guard case .loaded(let photos) = list(topic) else { return [] }
    return photos
  }

  /// Loads a topic's list unless it is there. Cancelled with its view; then the next appearance loads it.
  func load(_ topic: Topic) async {
    if case .loaded = list(topic) { return }
    lists[topic] = .loading
    do {
      lists[topic] = .loaded(try await api.photos(topic, count: count))
    } catch is CancellationError {
      lists[topic] = nil
    } catch {
      lists[topic] = .failed((error as? GalleryAPIError)?.message ?? error.localizedDescription)
    }
  }
}
