import Foundation

/// What makes two requests the same picture, where the address alone does not say.
///
/// Signed addresses change with every request though the picture does not: name the picture, or leave the parts out
/// that sign it. The response is found in the HTTP cache under this name too.
public enum RequestIdentity: Hashable, Sendable {
  /// The method, the address, the headers and the body.
  case address
  /// The address without these query items (names as they stand in the address, percent-encoded).
  case ignoringQueryItems(Set<String>)
  /// This text, whatever the address. Two pictures must not share it.
  case key(String)

  /// The query items by which storage services sign addresses (AWS, Google, Azure), for `ignoringQueryItems`.
  public static let signatureQueryItems: Set<String> = [
    "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders", "X-Amz-Signature",
    "X-Amz-Security-Token", "X-Goog-Algorithm", "X-Goog-Credential", "X-Goog-Date", "X-Goog-Expires",
    "X-Goog-SignedHeaders", "X-Goog-Signature", "AWSAccessKeyId", "Signature", "Expires", "Key-Pair-Id", "Policy",
    "sv", "se", "sr", "sp", "sig", "st", "spr",
  ]

  /// The name under which an address is known; `nil` where it is the address itself.
  func name(of address: String) -> String? {
    switch self {
    case .address: nil
    case .key(let key): "key:\(key)"
    case .ignoringQueryItems(let names): Self.removing(names, from: address)
    }
  }

  private static func removing(_ names: Set<String>, from address: String) -> String {
    guard let mark = address.firstIndex(of: "?") else { return address }
    let end = address[mark...].firstIndex(of: "#") ?? address.endIndex
    let kept = address[address.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
      .filter { item in !names.contains(String(item.prefix { $0 != "=" })) }
    guard !kept.isEmpty else { return String(address[..<mark]) }
    return address[...mark] + kept.joined(separator: "&")
  }
}
