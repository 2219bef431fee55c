#if !canImport(Darwin)
  import Foundation
  import FoundationNetworking
  import HTTPCaching
  import Testing
  import VignetteTesting

  @Suite("Redirects", .timeLimit(.minutes(5)))
  struct CurlRedirectTests {
    let transport = CurlTransport()

    @Test("a relative Location leads from the path it came from, and the response says where it ended")
    func relative() async throws {
      let server = try ScriptedServer { request in
        request.path == "/dir/start" ? .redirect(to: "target%2Fx.jpg?q=1") : .text(request.target)
      }
      let (response, body) = try await transport.get(server.url("/dir/start"))
      #expect(body == Data("/dir/target%2Fx.jpg?q=1".utf8))
      #expect(response.url == server.url("/dir/target%2Fx.jpg?q=1"))
    }

    @Test("ten redirects are followed, eleven are too many")
    func limit() async throws {
      let server = try ScriptedServer { request in
        let count = Int(request.query["n"] ?? "") ?? 0
        return count == 0 ? .text("end") : .redirect(to: "/?n=\(count - 1)", status: 301)
      }
      #expect(try await transport.get(server.url("/?n=10")).body == Data("end".utf8))
      #expect(await transport.failure(server.url("/?n=11")) == "redirect.tooMany")
      #expect(await transport.failure(server.url("/?n=1"), options: options(redirects: 0)) == "redirect.tooMany")
    }

    @Test("a loop ends, and the next request works")
    func loop() async throws {
      let server = try ScriptedServer { request in
        request.path == "/loop" ? .redirect(to: "/loop") : .text("fine")
      }
      #expect(await transport.failure(server.url("/loop")) == "redirect.tooMany")
      #expect(server.log.count(of: "/loop") == 11)
      #expect(try await transport.get(server.url("/fine")).body == Data("fine".utf8))
    }

    @Test(
      "only http and https are followed",
      arguments: ["file:///etc/passwd", "data:text/plain,hi", "ftp://127.0.0.1/", "http:///nowhere", "mailto:a@b"])
    func target(_ location: String) async throws {
      let server = try ScriptedServer { _ in .redirect(to: location) }
      #expect(await transport.failure(server.url()) == "redirect.target")
    }

    @Test("credentials are not shown to another port, and harmless headers are")
    func secrets() async throws {
      let other = try ScriptedServer { _ in .text("other") }
      let server = try ScriptedServer { request in
        request.path == "/same" ? .text("same") : .redirect(to: request.query["to"] ?? "")
      }
      let headers = ["Authorization": "Bearer t", "Cookie": "s=1", "X-Api-Key": "k", "Accept": "image/*"]
      _ = try await transport.get(server.url("/?to=/same"), headers: headers)
      let same = try #require(server.log.last(for: "/same"))
      #expect(same.headers["Authorization"] == "Bearer t")
      #expect(same.headers["X-Api-Key"] == "k")
      _ = try await transport.get(server.url("/?to=http://127.0.0.1:\(other.port)/"), headers: headers)
      let seen = try #require(other.log.requests.first)
      for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(seen.headers[name] == nil) }
      #expect(seen.headers["Accept"] == "image/*")
    }

    @Test("credentials do not come back after a detour")
    func detour() async throws {
      let server = try ScriptedServer { request in .text(request.headers["Authorization"] ?? "none") }
      let other = try ScriptedServer { _ in .redirect(to: "http://127.0.0.1:\(server.port)/") }
      let first = try ScriptedServer { _ in .redirect(to: "http://127.0.0.1:\(other.port)/") }
      #expect(try await transport.get(first.url(), headers: ["Authorization": "x"]).body == Data("none".utf8))
    }

    @Test(
      "the method of a POST follows the status",
      arguments: [(301, "GET", ""), (302, "GET", ""), (303, "GET", ""), (307, "POST", "hello"), (308, "POST", "hello")])
    func post(_ status: Int, _ method: String, _ body: String) async throws {
      let server = try ScriptedServer { request in
        request.path == "/form" ? .redirect(to: "/done", status: status) : .text("ok")
      }
      var request = URLRequest(url: server.url("/form"))
      request.httpMethod = "POST"
      request.httpBody = Data("hello".utf8)
      _ = try await transport.send(request, options: options()).body.collect()
      let seen = try #require(server.log.last(for: "/done"))
      #expect(seen.method == method)
      #expect(seen.body == Data(body.utf8))
    }

    @Test("a redirect whose own body is endless is followed all the same")
    func endlessRedirectBody() async throws {
      let head = Data("HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n".utf8)
      let server = try ScriptedServer { request in
        request.path == "/end"
          ? .text("end") : .script([.send(head), .sendForever(Data(repeating: 65, count: 32 << 10))])
      }
      #expect(try await transport.get(server.url("/start")).body == Data("end".utf8))
    }

    @Test("a redirect status without a Location is an answer like any other")
    func noLocation() async throws {
      let server = try ScriptedServer { _ in .text("choose", status: 302) }
      let (response, body) = try await transport.get(server.url())
      #expect(response.status == 302)
      #expect(body == Data("choose".utf8))
    }

    @Test("many redirects at once all arrive")
    func many() async throws {
      let server = try ScriptedServer { request in
        request.path.hasPrefix("/r") ? .redirect(to: "/t\(request.path)") : .text(request.path)
      }
      let transport = transport
      try await withThrowingTaskGroup { group in
        for index in 0..<100 {
          group.addTask { try await transport.get(server.url("/r\(index)")).body == Data("/t/r\(index)".utf8) }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
  }
#endif
