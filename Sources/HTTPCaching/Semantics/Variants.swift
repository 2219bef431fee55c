import Foundation

/// Which of several responses of one URL answers a request (RFC 9111, section 4.1).
enum Variants {
  /// The request fields by which the response was chosen, as the request has them.
  static func selectingHeaders(_ headers: HTTPHeaders, for response: HTTPResponse) -> HTTPHeaders {
    var selecting = HTTPHeaders()
    for name in fields(of: response) { selecting[name] = headers[name] }
    return selecting
  }

  /// The names in Vary, "*" among them; each once.
  static func fields(of response: HTTPResponse) -> [String] {
    guard let vary = response.headers["Vary"] else { return [] }
    var names: [String] = []
    for element in HTTPList.elements(of: vary).prefix(maximumFields) {
      let name = element.lowercased()
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// More names than any server has need of; a list that long is read as its beginning by both sides of a comparison.
  private static let maximumFields = 64

  static func variesByEverything(_ response: HTTPResponse) -> Bool { fields(of: response).contains("*") }

  static func selects(_ stored: StoredHead, _ headers: HTTPHeaders) -> Bool {
    fields(of: stored.response).allSatisfy {
      $0 != "*" && normalized(stored.selectingHeaders[$0]) == normalized(headers[$0])
    }
  }

  /// The value with the white space around commas taken away, which section 4.1 allows.
  static func normalized(_ value: String?) -> String? {
    value.map { HTTPList.elements(of: $0).joined(separator: ",") }
  }

  /// The place of the newest of those that the request selects: by Date, then by when it came.
  static func newest(of heads: [StoredHead], for headers: HTTPHeaders) -> Int? {
    heads.indices.filter { selects(heads[$0], headers) }.max { one, other in
      age(heads[one]) < age(heads[other])
    }
  }

  private static func age(_ head: StoredHead) -> (Date, Date, Int64) {
    (Freshness.date(of: head.response) ?? head.responseTime, head.responseTime, head.id.rawValue)
  }
}
