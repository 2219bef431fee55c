import Foundation

/// A response of whose body only parts have arrived (RFC 9111, section 3.3).
struct PartialResponse: Sendable {
  /// Where it came from, without a fragment, whatever it is kept under.
  var address: String
  /// As if the whole had come with a 200, so that every rule for whole responses holds for it.
  var head: StoredHead
  var validator: StrongValidator
  var body: PartialBody

  /// Bytes of memory it takes, roughly.
  var cost: Int {
    let fields = head.response.headers.reduce(512) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
    return body.pieces.reduce(fields) { $0 + $1.data.count + 64 }
  }

  /// The whole response, once every byte is here.
  var whole: StoredResponse? { body.isComplete ? StoredResponse(head: head, data: body.prefix) : nil }

  /// Takes up a later part of the same body: its fields replace those of before (RFC 9111, section 3.4).
  /// - Returns: `false` where it is another body, and nothing has changed.
  mutating func combine(_ later: PartialResponse) -> Bool {
    guard later.validator == validator, later.body.total == body.total else { return false }
    head = Validation.freshened(
      head, by: later.head.response, requested: later.head.requestTime, received: later.head.responseTime)
    body.insert(later.body)
    return true
  }
}
