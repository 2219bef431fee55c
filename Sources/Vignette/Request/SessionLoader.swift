import Foundation
import HTTPCaching
import Synchronized

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What is kept for a session that the application made: an HTTP cache of its own, and a number that is part of every
/// key. A session hides credentials, so nothing it fetched is ever given to another one, or to none.
///
/// Invariants: one for each session while that lives; a number is never used twice, though addresses of sessions are.
/// It does not keep its session: a request does. Responses stay in memory, for the number means nothing to a later
/// process.
final class SessionLoader: Sendable {
  let number: UInt64
  let transport: any HTTPTransport
  let dataLoader: DataLoader
  private let session: WeakSession

  private init(_ session: URLSession, number: UInt64) {
    self.number = number
    let session = WeakSession(session)
    self.session = session
    let transport = WeakSessionTransport(session: session)
    self.transport = transport
    dataLoader = .http(HTTPLoader(transport: transport))
  }

  private struct Known {
    var loaders: [ObjectIdentifier: SessionLoader] = [:]
    var lastNumber: UInt64 = 0
  }

  private static let known = Locked(Known())

  /// The one of this session.
  static func of(_ session: URLSession) -> SessionLoader {
    let address = ObjectIdentifier(session)
    let (loader, ended) = known.withLock { known -> (SessionLoader, [SessionLoader]) in
      if let loader = known.loaders[address], loader.session.value === session { return (loader, []) }
      let ended = known.loaders.filter { $0.value.session.value == nil }
      for address in ended.keys { known.loaders[address] = nil }
      known.lastNumber += 1
      let loader = SessionLoader(session, number: known.lastNumber)
      known.loaders[address] = loader
      return (loader, Array(ended.values))
    }
    // Their caches end outside the lock.
    _ = ended
    return loader
  }
}

private final class WeakSession: Sendable {
  private struct Reference { weak var session: URLSession? }

  private let reference: Locked<Reference>

  init(_ session: URLSession) { reference = Locked(Reference(session: session)) }

  var value: URLSession? { reference.withLock { $0.session } }
}

/// Sends through a session for as long as somebody keeps it.
private struct WeakSessionTransport: HTTPTransport {
  let session: WeakSession

  func send(_ request: URLRequest, options: TransportOptions) async throws -> HTTPExchange {
    guard let session = session.value else {
      throw HTTPError(
        .unavailable, "The URLSession of this picture is gone; keep it while its pictures are shown.", url: request.url)
    }
    return try await URLSessionTransport(session: session).send(request, options: options)
  }
}
