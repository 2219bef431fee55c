/// Header fields in the order received; names compare without case (RFC 9110, section 5.1).
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral, Sequence {
  public struct Field: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var fields: [Field]

  public init(_ fields: [Field] = []) { self.fields = fields }

  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }

  /// All values of a field joined by ", " (RFC 9110, section 5.2); `nil` where there is none. Setting replaces them.
  public subscript(_ name: String) -> String? {
    get {
      var joined: String?
      for field in fields where field.name.caseInsensitivelyEquals(name) {
        joined = joined.map { $0 + ", " + field.value } ?? field.value
      }
      return joined
    }
    set {
      fields.removeAll { $0.name.caseInsensitivelyEquals(name) }
      if let newValue { fields.append(Field(name: name, value: newValue)) }
    }
  }

  /// Every value of a field, in order.
  public func values(of name: String) -> [String] {
    fields.compactMap { $0.name.caseInsensitivelyEquals(name) ? $0.value : nil }
  }

  /// Adds a field and keeps those of the same name.
  public mutating func append(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension String {
  /// ASCII comparison without case, with no allocation.
  func caseInsensitivelyEquals(_ other: String) -> Bool {
    // The counts differ for nearly all pairs, and are known.
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { Self.lowercase($0) == Self.lowercase($1) }
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 32 : byte }
}
