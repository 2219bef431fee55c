/// Hears of the interim responses of a transfer (RFC 9110, section 15.2), such as 103 Early Hints, that come before the
/// final one; 101 is final here. Equal only to itself.
public final class InterimResponses: Sendable, Hashable {
  let tell: @Sendable (_ status: Int, _ headers: HTTPHeaders) -> Void

  /// - Parameter tell: called in the order of arrival, those of redirects included, on the thread of the transport,
  ///   whose other transfers wait until it returns.
  public init(_ tell: @escaping @Sendable (_ status: Int, _ headers: HTTPHeaders) -> Void) { self.tell = tell }

  public static func == (one: InterimResponses, other: InterimResponses) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
