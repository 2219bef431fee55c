import Foundation
import Testing
import VignetteTesting

@testable import Vignette

@Suite("Timeouts and cancellation", .timeLimit(.minutes(5)))
struct TimeoutTests {
  let scripted = Scripted()

  @Test("a load that takes too long fails with its own code and stops", arguments: [0.01, 0, -1, .nan, -.infinity])
  func tooLong(_ seconds: Double) async {
    scripted.loader.gate.close()
    var request = ImageRequest(Scripted.address)
    request.timeout = seconds
    #expect(await failureCode(scripted.pipeline, request) == "transport.timedOut")
    await eventually { [scripted] in
      scripted.pipeline.activeWork == 0 && scripted.loader.counts.cancelled == scripted.loader.counts.started
    }
  }

  @Test("a load within its time is not disturbed", arguments: [60, 1e300, .infinity])
  func inTime(_ seconds: Double) async {
    var request = ImageRequest(Scripted.address)
    request.timeout = seconds
    #expect(await failureCode(scripted.pipeline, request) == nil)
  }

  @Test("one impatient request does not end the load of a patient one")
  func impatient() async throws {
    scripted.loader.gate.close()
    let patient = Task { [scripted] in try await scripted.pipeline.image(for: ImageRequest(Scripted.address)) }
    await scripted.loader.gate.arrived(1)
    var request = ImageRequest(Scripted.address)
    request.timeout = 0.01
    #expect(await failureCode(scripted.pipeline, request) == "transport.timedOut")
    scripted.loader.gate.open()
    #expect(try await patient.value.origin == .network)
  }

  @Test("cancellation is never an ImageLoadingError")
  func cancellation() async {
    scripted.loader.gate.close()
    let task = Task { [scripted] in await failureCode(scripted.pipeline, ImageRequest(Scripted.address)) }
    await scripted.loader.gate.arrived(1)
    task.cancel()
    #expect(await task.value == "cancelled")
  }

  @Test("a source that claims to be cancelled when nobody cancelled it is a failure")
  func unaskedCancellation() async {
    scripted.loader.reply(to: Scripted.address, .failure(CancellationError()))
    #expect(await failureCode(scripted.pipeline, ImageRequest(Scripted.address)) == "source.failed")
  }
}
