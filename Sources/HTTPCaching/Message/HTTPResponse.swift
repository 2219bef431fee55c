import Foundation

/// The head of a response: what arrived before its body.
public struct HTTPResponse: Hashable, Sendable {
  /// Where the response came from after redirects.
  public var url: URL
  public var status: Int
  public var headers: HTTPHeaders

  public init(url: URL, status: Int, headers: HTTPHeaders = HTTPHeaders()) {
    self.url = url
    self.status = status
    self.headers = headers
  }
}
