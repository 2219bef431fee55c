import HTTPCaching
import Vignette

/// Why a source, or a command, failed, as it is printed.
struct Failure: Sendable {
  var code: String
  var message: String

  init(_ error: any Error) {
    switch error {
    case let error as ImageLoadingError:
      code = error.code.rawValue
      message = error.message
    case let error as DiskStoreError:
      code = error.code.rawValue
      message = error.message
    case let error as OutputError:
      code = error.code
      message = error.message
    default:
      code = "source.failed"
      message = "The load was given up."
    }
  }

  var json: JSONLine {
    var line = JSONLine()
    line.add("code", code)
    line.add("message", message)
    return line
  }
}
