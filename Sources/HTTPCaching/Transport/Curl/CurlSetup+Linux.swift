#if !canImport(Darwin)
  internal import CCurl
  import Foundation

  /// Sets an easy handle up for one request.
  enum CurlSetup {
    /// For each running transfer. A read takes what has come while other connections had their turn; the fewer reads, the
    /// less of TCP's own work is done for them: 3 MB take a third less time than with 60 KiB.
    static let receiveBufferBytes = 384 << 10

    /// - Returns: the list of header fields, to be kept until the transfer has ended and then freed. The request's body
    ///   is copied by libcurl.
    static func apply(
      _ request: OutgoingRequest, configuration: CurlTransport.Configuration, to handle: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<curl_slist>? {
      ccurl_set_string(handle, CURLOPT_URL, withoutFragment(request.url.absoluteString))
      // The server decides what dot segments mean, and what is stored is stored under the URL as it is.
      ccurl_set_long(handle, CURLOPT_PATH_AS_IS, 1)
      // Redirects are followed by RedirectPolicy: libcurl would go from https to http.
      ccurl_set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https")
      ccurl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
      ccurl_set_long(handle, CURLOPT_NOSIGNAL, 1)
      // Otherwise a cancellation during a DNS look-up blocks the event thread until the resolver answers.
      ccurl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
      ccurl_set_long(handle, CURLOPT_HTTP_VERSION, ccurl_http_2_over_tls)
      // Only the TLS handshake tells early whether a connection can be shared; plain http would wait for an answer.
      ccurl_set_long(handle, CURLOPT_PIPEWAIT, request.origin.scheme == "https" ? 1 : 0)
      ccurl_set_long(handle, CURLOPT_BUFFERSIZE, receiveBufferBytes)
      ccurl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      // The loop keeps its own time; libcurl's default would end a connection attempt after 300 s.
      ccurl_set_long(handle, CURLOPT_CONNECTTIMEOUT, Int(Int32.max) / 1000)
      if let file = configuration.certificateAuthorities { ccurl_set_string(handle, CURLOPT_CAINFO, file.path) }
      // A proxy would connect where the policy cannot see.
      let usesProxies = configuration.usesEnvironmentProxies && configuration.addressPolicy == nil
      if !usesProxies { ccurl_set_string(handle, CURLOPT_PROXY, "") }
      ccurl_set_string(handle, CURLOPT_USERAGENT, configuration.userAgent)
      setMethod(of: request, on: handle)
      return setFields(of: request, on: handle)
    }

    private static func withoutFragment(_ url: String) -> String {
      guard let mark = url.utf8.firstIndex(of: UInt8(ascii: "#")) else { return url }
      return String(url[..<mark])
    }

    private static func setMethod(of request: OutgoingRequest, on handle: UnsafeMutableRawPointer) {
      if sendsBody(request) {
        let body = request.body ?? Data()
        ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        body.withUnsafeBytes { bytes in
          _ =
            bytes.baseAddress.map { ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0) }
            ?? ccurl_set_string(handle, CURLOPT_COPYPOSTFIELDS, "")
        }
      }
      if request.method == "HEAD" {
        ccurl_set_long(handle, CURLOPT_NOBODY, 1)
      } else if request.method != "GET" || request.body != nil {
        ccurl_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method)
      }
    }

    /// These methods say Content-Length: 0 where they have no body (RFC 9110, section 8.6).
    private static func sendsBody(_ request: OutgoingRequest) -> Bool {
      request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method)
    }

    private static func setFields(
      of request: OutgoingRequest, on handle: UnsafeMutableRawPointer
    ) -> UnsafeMutablePointer<curl_slist>? {
      var list: UnsafeMutablePointer<curl_slist>?
      func add(_ line: String) { if let longer = curl_slist_append(list, line) { list = longer } }
      for field in request.headers where !isSetByCurl(field.name) {
        add(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
      if sendsBody(request) {
        // libcurl would say it is a form, and wait a second for 100 Continue.
        if request.headers["Content-Type"] == nil { add("Content-Type:") }
        if request.headers["Expect"] == nil { add("Expect:") }
      }
      ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
      return list
    }

    private static func isSetByCurl(_ name: String) -> Bool {
      name.caseInsensitivelyEquals("Content-Length") || name.caseInsensitivelyEquals("Transfer-Encoding")
    }
  }
#endif
