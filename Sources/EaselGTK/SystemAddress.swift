internal import CEaselGTK
import EaselCore
import Foundation

/// Addresses that views hand to the desktop (`ViewHost.openSystemURL`).
///
/// Invariants: only pages and letters are handed on. A file or a scheme of some program would be run with this user's
/// rights, and a view may have its address from anywhere; who wants that opens it by means of their own.
enum SystemAddress {
  /// Longer than any browser takes; a program's argument on Linux ends at 128 KiB.
  static let limit = 32_768
  /// What a letter may be filled in with (RFC 6068, section 4: what goes beyond is unsafe, an attachment most of all).
  private static let mailFields: Set<String> = ["to", "cc", "bcc", "subject", "body", "in-reply-to"]

  /// Why an address is not handed on, as the end of a sentence; nil where it is.
  static func refusal(of url: URL) -> String? {
    guard url.absoluteString.utf8.count <= limit else { return "it is longer than \(limit) bytes" }
    switch url.scheme?.lowercased() {
    case "http", "https": return (url.host ?? "").isEmpty ? "it names no host" : nil
    case "mailto": return refusalOfLetter(url)
    default: return "only http, https and mailto addresses are"
    }
  }

  private static func refusalOfLetter(_ url: URL) -> String? {
    let fields = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    let unsafe = fields.first { !mailFields.contains($0.name.lowercased()) }
    return unsafe.map { "a letter may not be given the field \"\($0.name.prefix(40))\"" }
  }

  /// For a message: at most 200 characters.
  static func shown(_ url: URL) -> String {
    let text = url.absoluteString
    return text.count > 200 ? text.prefix(199) + "…" : text
  }
}

extension GTK {
  /// Hands an address to the desktop, without waiting. False where it is not one to hand on; that and a later failure
  /// are said on standard error.
  static func open(_ url: URL) -> Bool {
    if let refusal = SystemAddress.refusal(of: url) {
      say("\(SystemAddress.shown(url)) is not opened: \(refusal).")
      return false
    }
    easel_open_url(url.absoluteString) { address, reason in
      let address = address.flatMap { URL(string: String(cString: $0)) }.map(SystemAddress.shown) ?? "An address"
      GTK.say("\(address) is not opened: \(reason.map { String(cString: $0) } ?? "the desktop does not say why").")
    }
    return true
  }

  /// A line on standard error.
  nonisolated static func say(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
  }
}
