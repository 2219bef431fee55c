import Checks
import Foundation
import ImageCodecs
import Pixels

/// A bomb with the limits as they are: refused with its code within 50 ms, or shown.
struct Explosion {
  private static let seconds = 0.05

  private let record: Record
  private let checks = Checks(limits: DecodeLimits())

  init(_ record: Record) { self.record = record }

  func set(off bomb: Bomb) {
    let box = DecodeTarget.box(PixelSize(width: 30, height: 30), .fit)
    for target in [DecodeTarget.full, box] {
      record.measure("\(bomb)") {
        let error = bomb.isAnimation ? checks.animationError(bomb.data) : checks.stillError(bomb.data, target)
        let outcome = error.map { Bomb.Outcome.refused($0.code) } ?? .shown
        require(outcome == bomb.outcome, "\(bomb): \(outcome) instead of \(bomb.outcome)")
      }
    }
    guard case .refused = bomb.outcome else { return }
    require(record.slowestSeconds <= Self.seconds, "\(bomb): refused after \(record.slowestSeconds) s")
  }
}
