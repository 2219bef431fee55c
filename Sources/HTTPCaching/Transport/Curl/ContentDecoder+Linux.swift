#if !canImport(Darwin)
  /// Undoes the codings of a `Content-Encoding` (RFC 9110, section 8.4), the one applied last first.
  /// Not thread-safe: used by its transfer's event thread.
  final class ContentDecoder {
    /// Beyond this it is no server's honest answer; each layer may be a bomb in the next.
    private static let maximumLayers = 5

    /// The codings that are not ours, beneath those that are undone: what the field has to say afterwards.
    let rest: String?
    /// Outermost first.
    private let layers: [Inflater]

    /// - Returns: `nil` where there is nothing to undo; such a body is handed on as it came.
    init?(contentEncoding: String) {
      var codings = contentEncoding.lowercased().split(separator: ",").map(\.trimmed)
      codings.removeAll { $0.isEmpty || $0 == "identity" }
      var layers: [Inflater] = []
      while layers.count <= Self.maximumLayers, let coding = codings.last, let layer = Inflater(coding: coding) {
        layers.append(layer)
        codings.removeLast()
      }
      guard 1...Self.maximumLayers ~= layers.count else { return nil }
      self.layers = layers
      rest = codings.isEmpty ? nil : codings.joined(separator: ", ")
    }

    /// Takes coded bytes; `drain` brings them out.
    func feed(_ bytes: UnsafeRawBufferPointer) { layers[0].feed(bytes) }

    /// Decodes what was fed, piece by piece, until nothing is left or `sink` refuses a piece (which is then offered
    /// again by the next call).
    /// - Returns: whether everything fed has been taken.
    func drain(_ sink: (UnsafeRawBufferPointer) throws -> Bool) throws -> Bool { try drain(from: 0, sink) }

    private func drain(from index: Int, _ sink: (UnsafeRawBufferPointer) throws -> Bool) throws -> Bool {
      guard index + 1 < layers.count else { return try layers[index].drain(sink) }
      guard try drain(from: index + 1, sink) else { return false }
      var isBlocked = false
      let isEmpty = try layers[index].drain { piece in
        guard !isBlocked else { return false }
        layers[index + 1].feed(piece)
        isBlocked = try !drain(from: index + 1, sink)
        return true
      }
      return isEmpty && !isBlocked
    }

    /// - Throws: `Inflater.Failure.truncated` where a layer has not come to its end.
    func finish() throws { for layer in layers { try layer.finish() } }
  }
#endif
