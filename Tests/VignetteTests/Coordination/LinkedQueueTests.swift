import Testing

@testable import Vignette

@Suite("A queue from whose middle elements are taken")
struct LinkedQueueTests {
  @Test("elements stand in the order in which they were put at either end")
  func order() {
    var queue = LinkedQueue<Int>()
    _ = queue.append(2)
    _ = queue.append(3)
    _ = queue.prepend(1)
    #expect(queue.elements == [1, 2, 3])
    #expect(queue.first == 1)
    #expect(queue.last == 3)
    #expect(queue.count == 3)
  }

  @Test("an empty queue has no ends")
  func empty() {
    var queue = LinkedQueue<Int>()
    #expect(queue.first == nil && queue.last == nil)
    let only = queue.prepend(1)
    queue.remove(only)
    #expect(queue.first == nil && queue.last == nil)
    #expect(queue.count == 0)
    #expect(queue.checkInvariants() == nil)
  }

  @Test("taking an element out joins its neighbours", arguments: 0..<3)
  func remove(_ index: Int) {
    var queue = LinkedQueue<Int>()
    let places = (0..<3).map { queue.append($0) }
    queue.remove(places[index])
    #expect(queue.elements == (0..<3).filter { $0 != index })
    #expect(queue.checkInvariants() == nil)
  }

  @Test("a random walk agrees with an array", arguments: 0..<10)
  func randomWalk(_ round: Int) {
    var random = SeededRandom()
    var queue = LinkedQueue<Int>()
    var model: [(element: Int, place: LinkedQueue<Int>.Place)] = []
    for element in 0..<500 {
      // Long queues and empty ones both come about.
      switch Int.random(in: 0..<(round % 2 == 0 ? 4 : 6), using: &random) {
      case 0: model.append((element, queue.append(element)))
      case 1: model.insert((element, queue.prepend(element)), at: 0)
      default:
        guard let index = model.indices.randomElement(using: &random) else { continue }
        queue.remove(model.remove(at: index).place)
      }
      #expect(queue.elements == model.map(\.element), "seed \(random.seed)")
      #expect(queue.first == model.first?.element && queue.last == model.last?.element, "seed \(random.seed)")
      if let fault = queue.checkInvariants() { Issue.record("\(fault), seed \(random.seed)") }
    }
  }
}
