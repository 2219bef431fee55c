/// A request that is refused: the status to answer with, and a sentence that says why. The connection ends with it,
/// because where the next request would begin is not certain.
struct RequestFault: Error, Equatable {
  var status: Int
  var message: String

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }
}
