import Foundation

/// One entry of a topic's list, as the API sends it: an object, or the bare address of a picture.
public struct Photo: Decodable, Identifiable, Hashable, Sendable {
  public var id: String
  public var title: String
  public var credit: String
  public var url: URL

  private enum Key: String, CodingKey {
    case id, title, credit, url
  }

  public init(from decoder: any Decoder) throws {
    if let address = try? decoder.singleValueContainer().decode(String.self) {
      url = try Self.url(address, decoder)
      id = address
      title = url.deletingPathExtension().lastPathComponent
      credit = url.host ?? ""
      return
    }
    let values = try decoder.container(keyedBy: Key.self)
    url = try Self.url(try values.decode(String.self, forKey: .url), decoder)
    id = try values.decodeIfPresent(String.self, forKey: .id) ?? url.absoluteString
    title = try values.decodeIfPresent(String.self, forKey: .title) ?? ""
    credit = try values.decodeIfPresent(String.self, forKey: .credit) ?? ""
  }

  private static func url(_ text: String, _ decoder: any Decoder) throws -> URL {
    guard let url = URL(string: text), url.scheme != nil else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(text)\" is not the address of a picture"))
    }
    return url
  }
}
