import Foundation
import ImageCodecs
import Pixels
import Testing

@Suite("Bombs", .timeLimit(.minutes(5)))
struct BombTests {
  private static let bombs: [Bomb] = {
    do {
      return try Bomb.all(Files.fixture)
    } catch {
      Issue.record("The bombs cannot be made: \(error)")
      return []
    }
  }()

  private static let targets: [DecodeTarget] = [.full, .box(PixelSize(width: 30, height: 30), .fit)]

  @Test("each is refused with its code, or shown without what is too much", arguments: bombs)
  func table(bomb: Bomb) {
    for target in Self.targets {
      for damage in [DamagePolicy.strict, .lenient] {
        let error = codecError { _ = try ImageDecoder(damage: damage).decode(bomb.data, target: target) }
        switch bomb.outcome {
        case .refused(let code) where !bomb.isAnimation: #expect(error?.code == code, "\(error?.message ?? "shown")")
        default: #expect(error == nil)
        }
      }
    }
    guard bomb.isAnimation, case .refused(let code) = bomb.outcome else { return }
    let error = codecError { _ = try AnimationDecoder(bomb.data).frameCount() }
    #expect(error?.code == code)
  }
}
