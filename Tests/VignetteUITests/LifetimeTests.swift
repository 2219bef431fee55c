import EaselCore
import Foundation
import Testing
import Vignette
import VignetteTesting
import VignetteUI
import VignetteUITesting

@MainActor
@Suite("Lifetimes")
struct LifetimeTests {
  @Test("an unmounted window lets go of its views, their loads and the pipeline")
  func nothingIsKept() async throws {
    weak var pipeline: ImagePipeline?
    weak var host: ViewHost?
    func show() async throws {
      let stage = Stage()
      stage.serve(80, 60)
      let harness = stage.harness(height: 400) {
        ScrollView {
          LazyVStack {
            ForEach(0..<3) { _ in
              CachedAsyncImage(url: URL(string: Stage.url), transaction: Transaction(animation: .default)) { phase in
                PhaseText(phase: phase)
              }
            }
          }
        }
      }
      try await harness.until { harness.labels(.image).count == 3 }
      pipeline = stage.pipeline
      host = harness.host
      harness.host.unmount()
    }
    try await show()
    // Whatever was resumed last gets its turn to end.
    let limit = Date(timeIntervalSinceNow: 60)
    while pipeline != nil || host != nil, Date() < limit { await Task.yield() }
    #expect(host == nil)
    #expect(pipeline == nil)
  }
}
