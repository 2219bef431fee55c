/// Why bytes did not become a picture: a dotted, stable code and a sentence a person understands.
public struct CodecError: Error, Hashable, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let empty = Code(rawValue: "body.empty")
    public static let truncated = Code(rawValue: "body.truncated")
    public static let notAnImage = Code(rawValue: "image.notAnImage")
    public static let unsupportedFormat = Code(rawValue: "image.unsupportedFormat")
    public static let corrupt = Code(rawValue: "image.corrupt")
    public static let tooManyPixels = Code(rawValue: "image.tooManyPixels")
    public static let tooManyScans = Code(rawValue: "image.tooManyScans")
  }

  public var code: Code
  public var message: String

  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
