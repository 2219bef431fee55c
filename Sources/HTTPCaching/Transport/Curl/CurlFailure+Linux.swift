#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// libcurl's result codes as `HTTPError`.
  enum CurlFailure {
    /// What libcurl and the system said, beneath an `HTTPError`.
    struct Cause: Error, CustomStringConvertible {
      var code: Int
      var systemError: Int
      var description: String
    }

    static func outOfMemory(_ url: URL) -> HTTPError {
      HTTPError(.bodyTooLarge, "There is no memory for the transfer; load less at a time.", url: url)
    }

    static func denied(_ address: IPAddress, _ url: URL) -> HTTPError {
      HTTPError(
        .addressDenied,
        "“\(url.host ?? url.absoluteString)” is at \(address), where this transport may not connect; use another address.",
        url: url)
    }

    /// There is nobody to serve a transfer.
    static func noThread(_ url: URL?) -> HTTPError {
      guard curlIsReady else {
        return HTTPError(.unavailable, "libcurl is missing or does not start; install it (Debian: libcurl4).", url: url)
      }
      return HTTPError(
        .offline, "The system gave no thread for the network; free some resources and try again.", url: url)
    }

    static func error(
      _ result: CURLcode, handle: UnsafeMutableRawPointer?, reason: String, url: URL
    ) -> HTTPError {
      var system = 0
      if let handle { ccurl_get_long(handle, CURLINFO_OS_ERRNO, &system) }
      let text = reason.isEmpty ? String(cString: curl_easy_strerror(result)) : reason
      let (code, message) = meaning(of: result, systemError: Int32(truncatingIfNeeded: system), reason: text, url: url)
      let cause = Cause(code: Int(result.rawValue), systemError: system, description: text)
      return HTTPError(code, message, url: url, underlying: cause)
    }

    private static func meaning(
      of result: CURLcode, systemError: Int32, reason: String, url: URL
    ) -> (HTTPError.Code, String) {
      let host = url.host ?? url.absoluteString
      switch result {
      case CURLE_URL_MALFORMAT:
        return (.invalidURL, "“\(url)” is not a usable URL; check it.")
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
        return (.hostNotFound, "The host “\(host)” was not found; check the address and the connection.")
      case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_INTERFACE_FAILED:
        return connection(systemError, host: host)
      case CURLE_OPERATION_TIMEDOUT:
        return (.timedOut, "“\(host)” did not answer in time; try again.")
      case CURLE_PARTIAL_FILE:
        return (.truncatedBody, "The body ended before its announced length; try again.")
      // The same code as for a broken connection; what libcurl says of chunked coding tells them apart.
      case CURLE_RECV_ERROR where reason.contains("chunk"):
        return notHTTP(host, reason)
      // Aborted: the connection broke, and the request may not be repeated.
      case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_ABORTED_BY_CALLBACK:
        return (.reset, "“\(host)” closed the connection; try again.")
      case CURLE_OUT_OF_MEMORY:
        return (.bodyTooLarge, "There is no memory for the transfer; load less at a time.")
      case _ where tls.contains(result.rawValue):
        return (.tls, "No trusted encrypted connection to “\(host)”: \(reason). Check its certificate and address.")
      default:
        return notHTTP(host, reason)
      }
    }

    private static func notHTTP(_ host: String, _ reason: String) -> (HTTPError.Code, String) {
      (.protocolError, "The answer of “\(host)” is not valid HTTP: \(reason). Check the address.")
    }

    private static func connection(_ systemError: Int32, host: String) -> (HTTPError.Code, String) {
      switch systemError {
      case ENETUNREACH, ENETDOWN, EHOSTUNREACH, EADDRNOTAVAIL:
        (.offline, "“\(host)” cannot be reached from here; check the network connection.")
      case ETIMEDOUT:
        (.timedOut, "“\(host)” did not answer in time; try again.")
      default:
        (.refused, "“\(host)” refused the connection; check the address and that the server runs.")
      }
    }

    private static let tls: Set<UInt32> = Set(
      [
        CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
        CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED,
      ].map(\.rawValue))
  }
#endif
