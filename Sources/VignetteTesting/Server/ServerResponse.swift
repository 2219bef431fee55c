import Foundation
import HTTPCaching

extension ScriptedServer {
  /// An answer: status, headers, body, and how it is sent, faults included. Made by a factory and changed by modifiers:
  /// `.file(photo).cacheControl("max-age=60").delayed(0.5)`.
  public struct Response: Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    public var body: Data
    /// What is done before the answer begins.
    var preparation: [Step] = []
    var framing = Framing.length
    var pace: (bytes: Int, seconds: Double)?
    var cut: (bytes: Int, step: Step)?
    var entityTag: String?
    /// Replaces everything else.
    var script: [Step]?

    /// One thing the server does on the connection.
    public enum Step: Sendable {
      case send(Data)
      /// Sends the bytes again and again until the client closes or the server stops.
      case sendForever(Data)
      case wait(seconds: Double)
      case hold(Gate)
      /// Does nothing until the client closes or the server stops.
      case stall
      /// Ends the connection in order.
      case close
      /// Ends the connection with RST.
      case reset
    }

    enum Framing: Sendable {
      case length
      case declared(Int)
      case chunked(bytes: Int, terminated: Bool)
      case untilClose
    }

    public init(status: Int = 200, headers: HTTPHeaders = HTTPHeaders(), body: Data = Data()) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }
}

// MARK: Plain answers

extension ScriptedServer.Response {
  public static func status(_ status: Int) -> Self { text("\(status)", status: status) }

  public static func text(_ text: String, status: Int = 200) -> Self {
    data(Data(text.utf8), type: "text/plain; charset=utf-8", status: status)
  }

  public static func data(_ data: Data, type: String, status: Int = 200) -> Self {
    Self(status: status, headers: ["Content-Type": type], body: data)
  }

  /// The value as JSON; status 500 where it cannot be encoded.
  public static func json(_ value: some Encodable) -> Self {
    do { return data(try JSONEncoder().encode(value), type: "application/json") } catch {
      return text("\(error)", status: 500)
    }
  }

  /// The file's bytes with the type its ending suggests; status 404 where it cannot be read.
  public static func file(_ url: URL) -> Self {
    guard let bytes = try? Data(contentsOf: url) else { return status(404) }
    let types = [
      "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif",
      "avif": "image/avif", "bmp": "image/bmp", "json": "application/json", "html": "text/html",
    ]
    return data(bytes, type: types[url.pathExtension.lowercased()] ?? "application/octet-stream")
  }

  public static func redirect(to location: String, status: Int = 302) -> Self {
    Self(status: status, headers: ["Location": location])
  }

  /// Does exactly these steps; nothing is added. The connection is closed after them.
  public static func script(_ steps: [Step]) -> Self {
    var response = Self()
    response.script = steps
    return response
  }
}

// MARK: Faults

extension ScriptedServer.Response {
  /// Takes the request and never answers.
  public static var stall: Self { script([.stall]) }
  public static var closeBeforeHeaders: Self { script([.close]) }
  public static var closeInHeaders: Self { script([.send(Data("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .close]) }
  public static var resetBeforeHeaders: Self { script([.reset]) }
  public static var resetInHeaders: Self { script([.send(Data("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .reset]) }
  /// Something that is not HTTP.
  public static var garbage: Self { script([.send(Data("\u{1}\u{2}SSH-2.0-nonsense\r\n\r\n".utf8)), .close]) }
  /// Header fields without end.
  public static var endlessHeaders: Self {
    let filler = Data((1...20).map { "X-Filler-\($0): \(String(repeating: "x", count: 100))\r\n" }.joined().utf8)
    return script([.send(Data("HTTP/1.1 200 OK\r\n".utf8)), .sendForever(filler)])
  }
  /// Interim answers without end.
  public static var endlessInterim: Self { script([.sendForever(Data("HTTP/1.1 103 Early Hints\r\n\r\n".utf8))]) }
  /// A body of unknown length without end.
  public static var endlessBody: Self {
    let head = Data("HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n".utf8)
    return script([.send(head), .sendForever(Data(repeating: 0x5a, count: 64 << 10))])
  }
}

// MARK: Modifiers

extension ScriptedServer.Response {
  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }

  /// Adds a header and keeps those of the same name.
  public func header(_ name: String, _ value: String) -> Self { with { $0.headers.append(name: name, value: value) } }

  public func cacheControl(_ value: String) -> Self { header("Cache-Control", value) }

  /// Adds an ETag (give the quotes) and answers a matching If-None-Match with 304.
  public func etag(_ tag: String) -> Self { with { $0.entityTag = tag } }

  /// Waits so long, in seconds, before answering.
  public func delayed(_ seconds: Double) -> Self { with { $0.preparation.append(.wait(seconds: seconds)) } }

  /// Answers when the gate is open.
  public func held(by gate: Gate) -> Self { with { $0.preparation.append(.hold(gate)) } }

  /// Sends the body in pieces with a pause in seconds before each.
  public func paced(bytes: Int, every seconds: Double) -> Self { with { $0.pace = (max(bytes, 1), seconds) } }

  /// Sends so many bytes of the body under the whole one's Content-Length, then does `step`.
  public func cut(after bytes: Int, _ step: Step) -> Self { with { $0.cut = (bytes, step) } }

  /// Says this Content-Length, whatever the body's.
  public func declaringLength(_ length: Int) -> Self { with { $0.framing = .declared(length) } }

  /// Sends the body by chunked coding; without the last chunk where not `terminated`.
  public func chunked(by bytes: Int = 4096, terminated: Bool = true) -> Self {
    with { $0.framing = .chunked(bytes: max(bytes, 1), terminated: terminated) }
  }

  /// Sends no length; the end of the connection ends the body.
  public func untilClose() -> Self { with { $0.framing = .untilClose } }
}

// MARK: What is sent

extension ScriptedServer.Response {
  /// The steps for a request; the connection may serve another afterwards where `keepsAlive`.
  func steps(for request: ScriptedServer.Request) -> (steps: [Step], keepsAlive: Bool) {
    if let script { return (preparation + script, false) }
    var answer = self
    if let entityTag {
      answer.headers["ETag"] = entityTag
      if request.headers["If-None-Match"]?.contains(entityTag) == true {
        answer.status = 304
        answer.body = Data()
      }
    }
    var steps = preparation + [.send(answer.head)]
    let hasBody = request.method != "HEAD" && answer.status != 304 && answer.status != 204
    guard hasBody else { return (steps, !request.wantsClose) }
    steps += answer.bodySteps
    return (steps, answer.isFramedProperly && !request.wantsClose)
  }

  private var isFramedProperly: Bool {
    if cut != nil { return false }
    switch framing {
    case .length: return headers["Content-Length"] == nil
    case .chunked(_, let terminated): return terminated
    case .declared(let length): return length == body.count
    case .untilClose: return false
    }
  }

  private var head: Data {
    var lines = ["HTTP/1.1 \(status) \(Self.reasons[status] ?? "Status")"]
    lines += headers.map { "\($0.name): \($0.value)" }
    switch framing {
    case .length where headers["Content-Length"] == nil && status != 304 && status != 204:
      lines.append("Content-Length: \(body.count)")
    case .declared(let length): lines.append("Content-Length: \(length)")
    case .chunked: lines.append("Transfer-Encoding: chunked")
    case .untilClose: lines.append("Connection: close")
    case .length: break
    }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private var bodySteps: [Step] {
    let sent = cut.map { body.prefix($0.bytes) } ?? body[...]
    var pieces = [Data(sent)]
    if case .chunked(let bytes, _) = framing { pieces = Self.split(sent, by: bytes).map(Self.chunk) }
    if let pace { pieces = Self.split(pieces.reduce(Data(), +), by: pace.bytes) }
    if case .chunked(_, true) = framing, cut == nil { pieces.append(Data("0\r\n\r\n".utf8)) }
    var steps: [Step] = []
    for piece in pieces where !piece.isEmpty {
      if let pace { steps.append(.wait(seconds: pace.seconds)) }
      steps.append(.send(piece))
    }
    if let cut { steps.append(cut.step) }
    return steps
  }

  private static func split(_ data: Data, by bytes: Int) -> [Data] {
    stride(from: 0, to: data.count, by: bytes).map { Data(data.dropFirst($0).prefix(bytes)) }
  }

  private static func chunk(_ data: Data) -> Data {
    Data("\(String(data.count, radix: 16))\r\n".utf8) + data + Data("\r\n".utf8)
  }

  private static let reasons = [
    200: "OK", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 410: "Gone", 416: "Range Not Satisfiable", 500: "Internal Server Error",
    503: "Service Unavailable",
  ]
}
