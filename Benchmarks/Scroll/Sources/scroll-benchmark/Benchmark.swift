import Easel
import Foundation
import Pixels
import Vignette
import VignetteUI

/// Scrolls through a list at an even speed, sixty frames a second, without a display or in a window, and prints one JSON
/// object: `scroll-benchmark headless|window PHOTOS ROWS`.
@main @MainActor
struct Benchmark {
  /// Points a second: some twenty rows.
  private static let speed = 3_000.0
  private static let frame = 1.0 / 60

  private let pipeline: ImagePipeline
  private let server: PhotoServer
  private let rows: Int

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, ["headless", "window"].contains(arguments[1]), let rows = Int(arguments[3]), rows > 0
    else {
      print("usage: scroll-benchmark headless|window PHOTOS ROWS")
      exit(2)
    }
    let benchmark = try Benchmark(photos: URL(fileURLWithPath: arguments[2]), rows: rows)
    if arguments[1] == "headless" { try await benchmark.runHeadless() } else { try benchmark.runWindow() }
  }

  private init(photos: URL, rows: Int) throws {
    server = try PhotoServer(photos: photos)
    self.rows = rows
    var configuration = ImagePipeline.Configuration.default
    configuration.memoryBudget = 16 << 20
    pipeline = ImagePipeline(configuration: configuration)
  }

  private var view: some View { Rows(count: rows, address: server.address).imagePipeline(pipeline) }

  private static var middle: CGPoint { CGPoint(x: Rows.size.width / 2, y: Rows.size.height / 2) }

  // MARK: Without a display

  private func runHeadless() async throws {
    let host = ViewHost(view, size: Rows.size)
    let size = PixelSize(width: Int(Rows.size.width), height: Int(Rows.size.height))
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size.width * size.height * 4, alignment: 16)
    defer { memory.deallocate() }
    let start = Usage.now
    var frames = 0
    try await eachFrame { seconds in
      host.advance(by: seconds)
      let moved = host.scroll(by: CGSize(width: 0, height: Self.speed * seconds), at: Self.middle)
      if host.draw(into: memory, bytesPerRow: size.width * 4, pixelSize: size) { frames += 1 }
      return moved
    }
    report("headless", frames: frames, since: start)
    host.unmount()
    server.stop()
  }

  // MARK: In a window

  private func runWindow() throws {
    let window = try GTKWindow(view, title: "Scroll", size: Rows.size)
    window.show()
    let start = Usage.now
    Task {
      try await eachFrame { seconds in
        // Nothing to scroll before the window has its size.
        let moved = window.host.scroll(by: CGSize(width: 0, height: Self.speed * seconds), at: Self.middle)
        return moved || window.frameCount == 0
      }
      report("window", frames: window.frameCount, since: start)
      window.close()
    }
    GTK.run()
    server.stop()
  }

  // MARK: Both

  /// Calls `body` with the seconds since it was called before, until it answers false.
  private func eachFrame(_ body: (Double) -> Bool) async throws {
    var last = Self.seconds
    while true {
      let wait = last + Self.frame - Self.seconds
      try await Task.sleep(nanoseconds: UInt64(max(wait, 0.001) * 1e9))
      let now = Self.seconds
      // A machine that cannot keep up is asked for fewer frames, as a display would.
      guard body(min(now - last, 0.1)) else { return }
      last = now
    }
  }

  private static var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  private func report(_ mode: String, frames: Int, since start: Usage) {
    let end = Usage.now
    func each(_ seconds: Double) -> String { String(format: "%.2f", seconds * 1000 / Double(max(1, frames))) }
    let counters = pipeline.counters
    print(
      """
      {"mode": "\(mode)", "rows": \(rows), "frames": \(frames), "processorMillisecondsPerFrame": \
      \(each(end.processor - start.processor)), "mainThreadMillisecondsPerFrame": \(each(end.thread - start.thread)), \
      "residentMegabytes": \(Usage.megabytes("VmRSS")), "peakMegabytes": \(Usage.megabytes("VmHWM")), \
      "loads": \(counters.networkLoads), "decodes": \(counters.decodes)}
      """)
  }
}
