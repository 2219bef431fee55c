import EaselCore
import Testing

@testable import EaselGTK

@Suite("Scrolling by itself")
struct ScrollMotionTests {
  @Test("a jump covers its whole distance, most of it at once, and ends")
  func jump() {
    var motion = ScrollMotion()
    motion.jump(by: CGSize(width: 0, height: 300))
    var steps: [CGFloat] = []
    while motion.isMoving, steps.count < 600 { steps.append(motion.advance(by: 1.0 / 60).height) }
    #expect(abs(steps.reduce(0, +) - 300) < 0.001)
    #expect(steps.prefix(12).reduce(0, +) > 285)
    #expect(steps.count < 60)
    #expect(zip(steps, steps.dropFirst().dropLast()).allSatisfy { $0 >= $1 })
  }

  @Test("turns of the wheel add up, a turn back begins anew")
  func wheel() {
    var motion = ScrollMotion()
    motion.jump(by: CGSize(width: 0, height: 100))
    motion.jump(by: CGSize(width: 0, height: 100))
    #expect(motion.remaining.height == 200)
    motion.jump(by: CGSize(width: 0, height: -50))
    #expect(motion.remaining.height == -50)
  }

  @Test("a flick begins at the fingers' speed and slows down, whatever the frame rate")
  func fling() {
    func distance(framesPerSecond: Int) -> CGFloat {
      var motion = ScrollMotion()
      motion.fling(at: CGSize(width: 0, height: 1_000))
      return (0..<framesPerSecond).reduce(0) { sum, _ in
        sum + motion.advance(by: 1.0 / Double(framesPerSecond)).height
      }
    }
    var first = ScrollMotion()
    first.fling(at: CGSize(width: 0, height: 1_000))
    #expect(abs(first.advance(by: 0.001).height - 1) < 0.01)
    #expect(abs(distance(framesPerSecond: 30) - distance(framesPerSecond: 144)) < 1)
  }

  @Test("speeds that are no numbers do nothing", arguments: [Double.nan, .infinity])
  func hostile(speed: Double) {
    var motion = ScrollMotion()
    motion.fling(at: CGSize(width: speed, height: speed))
    motion.jump(by: CGSize(width: speed, height: speed))
    #expect(!motion.isMoving)
  }
}
