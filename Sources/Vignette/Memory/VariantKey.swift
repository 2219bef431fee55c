/// Which decoded pictures may stand in for one another: those of one source that went through the same processors.
///
/// The one place that says what of an `ImageKey` decides that; the size does not, it only chooses among them.
struct VariantKey: Hashable, Sendable {
  let source: SourceKey
  /// Names the processors and their parameters; `nil` where there are none.
  let chain: String?

  init(source: SourceKey, chain: String? = nil) {
    self.source = source
    self.chain = chain
  }

  init(_ key: ImageKey) { self.init(source: key.source, chain: key.chain) }

  /// Bytes of text kept with each entry; a data URL is its own key and may be long.
  var byteCount: Int { source.byteCount + (chain?.utf8.count ?? 0) }
}
