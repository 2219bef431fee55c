import Foundation
import Vignette

/// A file of certificates in PEM (RFC 7468), checked before it is used: what the TLS library says of a bad one comes
/// late and says little.
enum CertificateFile {
  /// Longest file that is read, in bytes: the lists of whole systems are below 1 MiB.
  private static let longest = 16 << 20

  /// - Throws: `UsageError` where it cannot be read or holds something else.
  static func check(_ path: String) throws -> URL {
    let url = URL(fileURLWithPath: path)
    let data: Data
    do {
      data = try FileReader(url).read(upTo: longest + 1)
    } catch {
      throw UsageError("\(printable(path)) cannot be read, or is no regular file.")
    }
    guard data.count <= longest else { throw UsageError("\(printable(path)) is too long for a list of certificates.") }
    let certificates = blocks(String(decoding: data, as: UTF8.self))
    guard !certificates.isEmpty, certificates.allSatisfy(isCertificate) else {
      throw UsageError("\(printable(path)) does not hold certificates in PEM.")
    }
    return url
  }

  /// What lies between the lines that begin and end a certificate.
  private static func blocks(_ text: String) -> [String] {
    text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().map {
      $0.components(separatedBy: "-----END CERTIFICATE-----").first ?? ""
    }
  }

  /// One DER sequence (X.690, section 8.1) that is as long as it says.
  private static func isCertificate(_ base64: String) -> Bool {
    guard let data = Data(base64Encoded: base64, options: .ignoreUnknownCharacters) else { return false }
    let bytes = [UInt8](data)
    guard bytes.count > 4, bytes[0] == 0x30 else { return false }
    guard bytes[1] >= 0x80 else { return bytes.count == 2 + Int(bytes[1]) }
    let width = Int(bytes[1] & 0x7F)
    guard 1...4 ~= width, bytes.count > 2 + width else { return false }
    let length = bytes[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
    return bytes.count == 2 + width + length
  }
}
