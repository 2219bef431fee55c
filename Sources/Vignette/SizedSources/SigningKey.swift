import Foundation

/// The secret a resizing service shares with those who may ask it for sizes. Never printed, not even by `dump`.
///
/// A key inside an app can be taken out of it. Where that matters let your server make the addresses, and give them to
/// `SizedSource(original:url:)` or `SizedSource.srcset`.
public struct SigningKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  let bytes: Data

  /// No key: addresses stay unsigned, which a service accepts only while its checks are off.
  public static let none = SigningKey(Data())

  public init(_ bytes: Data) { self.bytes = Data(bytes) }

  /// The text itself, as thumbor's `SECURITY_KEY`.
  public init(text: String) { self.init(Data(text.utf8)) }

  /// Hexadecimal digits, as imgproxy's `IMGPROXY_KEY` and `IMGPROXY_SALT`.
  /// - Throws: `ImageLoadingError` with code `signing.invalidKey`, which does not repeat the text.
  public init(hexadecimal text: String) throws {
    guard let bytes = AddressWriter.bytes(hexadecimal: text) else {
      throw ImageLoadingError(
        .invalidSigningKey,
        "This signing key is no hexadecimal number; write it with two digits 0-9 or a-f for each byte.")
    }
    self.init(bytes)
  }

  var isEmpty: Bool { bytes.isEmpty }

  public var description: String { isEmpty ? "no signing key" : "a signing key" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ImageLoadingError.Code {
  /// A signing key that is no hexadecimal number.
  public static let invalidSigningKey = ImageLoadingError.Code(rawValue: "signing.invalidKey")
}
