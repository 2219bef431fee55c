import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// URLSession's errors as `HTTPError`.
enum URLSessionFailure {
  /// A cancelled session task is a `CancellationError`, as everywhere.
  static func error(_ error: any Error, url: URL) -> any Error {
    guard let failure = error as? URLError else {
      return HTTPError(.protocolError, error.localizedDescription, url: url, underlying: error)
    }
    if failure.code == .cancelled { return CancellationError() }
    let host = url.host ?? url.absoluteString
    let (code, message) = meaning(of: failure.code, host: host)
    return HTTPError(code, message, url: url, underlying: error)
  }

  private static func meaning(of code: URLError.Code, host: String) -> (HTTPError.Code, String) {
    switch code {
    case .badURL:
      (.invalidURL, "The URL is not usable; check it.")
    case .unsupportedURL:
      (.unsupportedScheme, "URLs of this scheme cannot be fetched here; use http or https.")
    case .cannotFindHost, .dnsLookupFailed:
      (.hostNotFound, "The host “\(host)” was not found; check the address and the connection.")
    case .cannotConnectToHost:
      (.refused, "“\(host)” refused the connection; check the address and that the server runs.")
    case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
      (.offline, "There is no network connection; check it and try again.")
    case .timedOut:
      (.timedOut, "“\(host)” did not answer in time; try again.")
    case .networkConnectionLost:
      (.reset, "“\(host)” closed the connection; try again.")
    case .httpTooManyRedirects:
      (.tooManyRedirects, "“\(host)” redirected too often; the address probably leads in a circle.")
    case .redirectToNonExistentLocation:
      (.redirectTarget, "“\(host)” redirected to something that cannot be followed.")
    case .appTransportSecurityRequiresSecureConnection:
      (.insecureRedirect, "The connection to “\(host)” would not be encrypted; use https.")
    case .dataLengthExceedsMaximum:
      (.bodyTooLarge, "The body of “\(host)” is too long.")
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      (.tls, "No trusted encrypted connection to “\(host)”; check its certificate and address.")
    default:
      (.protocolError, "The answer of “\(host)” is not valid HTTP; check the address.")
    }
  }
}
