import Foundation
import HTTPCaching
import ImageCodecs

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a source's first bytes say about its picture.
public struct HeaderProbe: Hashable, Sendable {
  public var info: ImageInfo
  /// Bytes of the source that were looked at; the transport may have received some more.
  public var bytesRead: Int
}

extension ImagePipeline {
  /// Which picture a source holds, from as few of its bytes as say so: files are read and transfers received only until
  /// the header is complete, at most 16 MiB (a JPEG's metadata may come before its size).
  ///
  /// Nothing is cached, joined with other work or counted.
  /// - Parameter transport: fetches http and https sources. Default the request's session, else the platform's.
  /// - Throws: `ImageLoadingError`, or `CancellationError` when the calling task is cancelled.
  public func header(
    of request: ImageRequest, transport: (any HTTPTransport)? = nil
  ) async throws -> HeaderProbe {
    do {
      return try await headerUnwrapped(of: request, transport: transport)
    } catch {
      throw ImageLoadingError.wrapping(error, url: request.url)
    }
  }

  private func headerUnwrapped(
    of request: ImageRequest, transport: (any HTTPTransport)?
  ) async throws -> HeaderProbe {
    var reader = HeaderReader()
    guard let urlRequest = request.source.urlRequest, let url = urlRequest.url else {
      return try reader.finish(with: try await sourceBytes(for: request))
    }
    switch url.scheme?.lowercased() {
    case "http", "https":
      let transport = transport ?? request.sessionLoader?.transport ?? PlatformTransport.shared
      let exchange = try await transport.send(urlRequest, options: request.transport)
      guard (200..<300).contains(exchange.response.status) else {
        throw ImageLoadingError(status: exchange.response.status, url: url)
      }
      for try await chunk in exchange.body {
        if let probe = try reader.append(chunk) { return probe }
      }
      return try reader.finish()
    case "file":
      let file = try FileReader(url)
      while true {
        let chunk = try file.read(upTo: HeaderReader.step)
        if chunk.isEmpty { return try reader.finish() }
        if let probe = try reader.append(chunk) { return probe }
      }
    default:
      return try reader.finish(with: try await sourceBytes(for: request))
    }
  }
}

/// Gathers bytes until they hold a whole header. Looks at every piece up to 64 KiB, where nearly all headers end, and
/// then only when there is half as much again, so that long metadata in small pieces is not read over and over.
private struct HeaderReader {
  static let step = 16 << 10
  static let limit = 16 << 20

  private let decoder = ImageDecoder()
  private var data = Data()
  private var nextLook = 0

  mutating func append(_ chunk: Data) throws -> HeaderProbe? {
    data.append(chunk)
    guard data.count >= nextLook else { return nil }
    nextLook = data.count < 64 << 10 ? 0 : data.count + data.count / 2
    if let info = try decoder.probe(data) { return HeaderProbe(info: info, bytesRead: data.count) }
    guard data.count < Self.limit else {
      throw CodecError(
        .tooMuchMetadata,
        "The first \(Self.limit >> 20) MiB do not say how large the picture is. Load it, which reads all of it.")
    }
    return nil
  }

  /// At the end of the source.
  func finish() throws -> HeaderProbe { try finish(with: data) }

  func finish(with data: Data) throws -> HeaderProbe {
    if let info = try decoder.probe(data) { return HeaderProbe(info: info, bytesRead: data.count) }
    throw data.isEmpty
      ? CodecError(.empty, "The source is empty.") : CodecError(.truncated, "The source ends within its header.")
  }
}
