import EaselCore
import Testing

@MainActor @Suite("Lazy rows")
struct LazyTests {
  struct Rows: View {
    let count: Int
    let journal: Journal
    @State var extra = 0

    var body: some View {
      ScrollView {
        LazyVStack(spacing: 0) {
          ForEach(0..<count + extra, id: \.self) { row in
            Text("row \(row)").frame(height: 50)
              .onAppear { journal.note("+\(row)") }
              .onDisappear { journal.note("-\(row)") }
          }
        }
      }
    }
  }

  let middle = CGPoint(x: 50, y: 50)
  let size = CGSize(width: 100, height: 200)

  @Test("only rows near the window exist, in a list of any length", arguments: [1_000, 100_000])
  func onlyNear(count: Int) {
    let journal = Journal()
    let host = ViewHost(Rows(count: count, journal: journal), size: size)
    host.update()
    #expect(journal.take() == (0...5).map { "+\($0)" })
    #expect(host.accessibilityTree().map(\.label) == (0...3).map { "row \($0)" })
    // To the far end and back.
    #expect(host.scroll(to: CGPoint(x: 0, y: CGFloat.infinity), at: middle))
    #expect(host.accessibilityTree().map(\.label).last == "row \(count - 1)")
    #expect(host.scrollOffset(at: middle)?.y == CGFloat(count) * 50 - 200)
    let left = journal.take()
    #expect(left.contains("-0"))
    #expect(left.contains("+\(count - 1)"))
    #expect(host.scroll(to: .zero, at: middle))
    #expect(journal.take().contains("+0"))
  }

  @Test("rows disappear as they leave and appear again as they return")
  func comingAndGoing() {
    let journal = Journal()
    let host = ViewHost(Rows(count: 100, journal: journal), size: size)
    host.update()
    _ = journal.take()
    host.scroll(by: CGSize(width: 0, height: 300), at: middle)
    host.update()
    let gone = journal.take().filter { $0.hasPrefix("-") }
    #expect(gone.contains("-0") && gone.contains("-1"))
    host.scroll(by: CGSize(width: 0, height: -300), at: middle)
    host.update()
    #expect(journal.take().contains("+0"))
  }

  @Test("scrolling stops at the ends")
  func clamped() {
    let host = ViewHost(Rows(count: 10, journal: Journal()), size: size)
    #expect(!host.scroll(by: CGSize(width: 0, height: -10), at: middle))
    #expect(host.scroll(by: CGSize(width: 0, height: 10_000), at: middle))
    #expect(host.scrollOffset(at: middle) == CGPoint(x: 0, y: 300))
    #expect(!host.scroll(by: CGSize(width: 0, height: 1), at: middle))
    #expect(!host.scroll(by: CGSize(width: 5, height: 0), at: middle))
  }

  @Test("rows of different heights lie one below the other wherever one scrolls")
  func differentHeights() {
    let view = ScrollView {
      LazyVStack(alignment: .leading, spacing: 10) {
        ForEach(0..<500) { row in Text("row \(row)").frame(width: 80, height: CGFloat(20 + row % 7 * 10)) }
      }
    }
    let host = ViewHost(view, size: size)
    var last = -1
    for _ in 0..<120 {
      let rows = host.accessibilityTree()
      for (one, next) in zip(rows, rows.dropFirst()) where one.frame.height > 0 {
        let number = Int(next.label.dropFirst(4)) ?? 0
        #expect(number == (Int(one.label.dropFirst(4)) ?? 0) + 1)
      }
      last = Int(rows.last?.label.dropFirst(4) ?? "") ?? last
      host.scroll(by: CGSize(width: 0, height: 173), at: middle)
    }
    #expect(last > 200)
  }

  @Test("a jump into the unknown and small steps back do not make the content jump")
  func scrollingBack() {
    let view = ScrollView {
      LazyVStack(spacing: 0) {
        ForEach(0..<500) { row in Color.red.frame(height: row.isMultiple(of: 2) ? 20 : 60).accessibilityLabel("\(row)")
        }
      }
    }
    let host = ViewHost(view, size: size)
    host.scroll(to: CGPoint(x: 0, y: 8_000), at: middle)
    for _ in 0..<60 {
      let before = frames(in: host)
      host.scroll(by: CGSize(width: 0, height: -15), at: middle)
      let after = frames(in: host)
      for (label, frame) in before {
        guard let moved = after[label] else { continue }
        #expect(abs(moved.minY - frame.minY - 15) < 0.01, "\(label)")
      }
    }
  }

  @Test("a change of the data keeps what is seen and adds what is new")
  func changes() {
    struct Parent: View {
      @State var items = Array(0..<30)
      var body: some View {
        VStack(spacing: 0) {
          Button("append") { items += 30..<40 }
          Button("remove") { items.removeFirst() }
          ScrollView {
            LazyVStack(spacing: 0) {
              Text("header")
              ForEach(items, id: \.self) { Counter(number: $0).frame(height: 40) }
              Text("footer")
            }
          }
        }
      }
    }
    struct Counter: View {
      let number: Int
      @State var taps = 0
      var body: some View { Button("\(number): \(taps)") { taps += 1 } }
    }
    let host = ViewHost(Parent(), size: CGSize(width: 200, height: 300))
    host.activate("1: 0")
    host.activate("remove")
    let labels = host.accessibilityTree().map(\.label)
    #expect(labels.starts(with: ["append", "remove", "header", "1: 1", "2: 0"]))
    host.activate("append")
    host.scroll(to: CGPoint(x: 0, y: 1e9), at: CGPoint(x: 100, y: 200))
    #expect(host.accessibilityTree().map(\.label).suffix(2) == ["39: 0", "footer"])
  }

  @Test("a grid fills its columns row by row")
  func grid() {
    let view = ScrollView {
      LazyVGrid(columns: [GridItem(.flexible()), GridItem(.flexible()), GridItem(.fixed(20))], spacing: 5) {
        ForEach(0..<100) { Color.red.frame(height: 30).accessibilityLabel("\($0)") }
      }
    }
    let frames = frames(view, in: CGSize(width: 136, height: 200))
    #expect(frames["0"] == CGRect(x: 0, y: 0, width: 50, height: 30))
    #expect(frames["1"] == CGRect(x: 58, y: 0, width: 50, height: 30))
    #expect(frames["2"] == CGRect(x: 116, y: 0, width: 20, height: 30))
    #expect(frames["3"] == CGRect(x: 0, y: 35, width: 50, height: 30))
    let adaptive = EaselCoreTests.frames(
      LazyVGrid(columns: [GridItem(.adaptive(minimum: 40))]) {
        ForEach(0..<4) { Color.red.frame(height: 30).accessibilityLabel("\($0)") }
      }, in: CGSize(width: 100, height: 200))
    #expect(adaptive["1"]?.minX == 54)
    #expect(adaptive["2"]?.minX == 0)
  }

  @Test("a horizontal lazy stack scrolls sideways")
  func horizontal() {
    let view = ScrollView(.horizontal) {
      LazyHStack(spacing: 10) { ForEach(0..<1000) { Text("\($0)").frame(width: 40, height: 40) } }
    }
    let host = ViewHost(view, size: size)
    #expect(host.accessibilityTree().count == 2)
    host.scroll(by: CGSize(width: 500, height: 0), at: CGPoint(x: 50, y: 100))
    #expect(host.accessibilityTree().map(\.label) == ["10", "11"])
  }

  @Test("scrolling through 1,000 rows keeps the number of living rows small")
  func bounded() {
    let journal = Journal()
    let host = ViewHost(Rows(count: 1_000, journal: journal), size: size)
    host.update()
    var living: Set<String> = []
    var most = 0
    for _ in 0..<1_000 {
      host.scroll(by: CGSize(width: 0, height: 50), at: middle)
      host.update()
      for entry in journal.take() {
        if entry.hasPrefix("+") {
          living.insert(String(entry.dropFirst()))
        } else {
          living.remove(String(entry.dropFirst()))
        }
      }
      most = max(most, living.count)
    }
    #expect(most < 16)
    #expect(living.contains("999"))
  }
}
