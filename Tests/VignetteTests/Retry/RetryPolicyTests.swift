import Foundation
import HTTPCaching
import Testing

@testable import Vignette

@Suite("Retry policy")
struct RetryPolicyTests {
  private func error(_ code: String) -> ImageLoadingError {
    ImageLoadingError(ImageLoadingError.Code(rawValue: code), "It failed.")
  }

  private func decision(
    _ policy: RetryPolicy = RetryPolicy(), _ code: String = "transport.reset", attempt: Int = 1,
    retryAfter: Double? = nil, random: Double = 0.5, method: String = "GET"
  ) -> RetryPolicy.Decision {
    policy.decision(for: error(code), attempt: attempt, retryAfter: retryAfter, random: random, method: method)
  }

  @Test(
    "failures that may be over a moment later are tried again",
    arguments: [
      "transport.hostNotFound", "transport.refused", "transport.reset", "transport.timedOut", "transport.offline",
      "transport.protocol", "body.truncated", "http.408", "http.425", "http.429", "http.500", "http.502", "http.503",
      "http.504",
    ])
  func transient(_ code: String) {
    #expect(decision(RetryPolicy(), code) == .wait(0.25))
  }

  @Test(
    "failures that would only repeat are not",
    arguments: [
      "url.invalid", "url.unsupportedScheme", "transport.tls", "transport.unavailable", "redirect.tooMany",
      "redirect.insecure", "redirect.target", "address.denied", "body.empty", "body.tooLarge", "image.notAnImage",
      "image.unsupportedFormat", "image.corrupt", "image.tooManyPixels", "image.tooManyFrames", "image.tooManyScans",
      "image.tooManyCells", "image.tooMuchMetadata", "image.tooMuchMemory", "image.timedOut", "file.notFound",
      "file.unreadable",
      "cache.miss", "source.failed", "signing.invalidKey",
      "something.new", "", "http.", "http.x", "http.99999999999999999999", "transport",
    ])
  func lasting(_ code: String) {
    #expect(decision(RetryPolicy(), code) == .fail)
    #expect(decision(RetryPolicy(), code, retryAfter: 1) == .fail)
  }

  @Test("of all statuses exactly 408, 425, 429, 500, 502, 503 and 504 are tried again")
  func statuses() {
    let tried = (0...999).filter { decision(RetryPolicy(), "http.\($0)") != .fail }
    #expect(tried == [408, 425, 429, 500, 502, 503, 504])
  }

  @Test(
    "there are three tries in all by default, and as many as are set",
    arguments: [
      (3, [true, true, false, false]), (1, [false, false, false, false]), (0, [false, false, false, false]),
      (-5, [false, false, false, false]), (Int.max, [true, true, true, true]),
    ])
  func attempts(_ maximum: Int, _ expected: [Bool]) {
    #expect(RetryPolicy().maximumAttempts == 3)
    var policy = RetryPolicy()
    policy.maximumAttempts = maximum
    #expect((1...4).map { decision(policy, attempt: $0) != .fail } == expected)
    #expect(decision(.never) == .fail)
  }

  @Test("the longest wait doubles from half a second to 30 seconds, and jitter covers all of it")
  func backoff() {
    var policy = RetryPolicy()
    policy.maximumAttempts = .max
    let longest = (1...9).map { decision(policy, attempt: $0, random: 1) }
    #expect(longest == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .wait($0) })
    #expect(decision(policy, attempt: 3, random: 0) == .wait(0))
    #expect(decision(policy, attempt: 3, random: 0.25) == .wait(0.5))
    #expect(decision(policy, attempt: .max - 1, random: 1) == .wait(30))
  }

  @Test("Retry-After is the least that is waited, with the back-off upon it")
  func retryAfter() {
    #expect(decision(RetryPolicy(), "http.503", retryAfter: 10) == .wait(10.25))
    #expect(decision(RetryPolicy(), "http.429", retryAfter: 60) == .wait(60.25))
    #expect(decision(RetryPolicy(), "http.429", retryAfter: 0) == .wait(0.25))
    #expect(decision(RetryPolicy(), "http.429", retryAfter: -5) == .wait(0.25))
  }

  @Test("a server that asks for more than the ceiling has failed", arguments: [60.001, 3_600, .infinity, .nan])
  func ceiling(_ seconds: Double) {
    #expect(decision(RetryPolicy(), "http.503", retryAfter: seconds) == .fail)
  }

  @Test("what no server said is not waited for")
  func retryAfterElsewhere() {
    #expect(decision(RetryPolicy(), "transport.reset", retryAfter: 10) == .wait(0.25))
  }

  @Test(
    "what is not idempotent is never repeated",
    arguments: [
      ("GET", true), ("HEAD", true), ("PUT", true), ("DELETE", true), ("POST", false), ("PATCH", false), ("get", false),
      ("", false),
    ])
  func methods(_ method: String, _ isRepeated: Bool) {
    #expect((decision(method: method) != .fail) == isRepeated)
  }

  @Test("whatever the settings, a wait is a number from 0 to the two ceilings")
  func properties() throws {
    var random = SeededRandom()
    let numbers = [0, -1, 0.5, 1, 2, 60, 1e300, .infinity, -.infinity, .nan, .leastNonzeroMagnitude]
    for _ in 0..<2_000 {
      var policy = RetryPolicy()
      policy.maximumAttempts = .max
      policy.baseDelay = numbers.randomElement(using: &random) ?? 0
      policy.factor = numbers.randomElement(using: &random) ?? 0
      policy.maximumDelay = numbers.randomElement(using: &random) ?? 0
      let attempt = Int.random(in: Int.min..<Int.max, using: &random)
      let jitter = numbers.randomElement(using: &random) ?? 0
      guard case .wait(let seconds) = decision(policy, "http.503", attempt: attempt, retryAfter: 5, random: jitter)
      else {
        Issue.record("seed \(random.seed): \(policy) does not try again")
        continue
      }
      let limit = policy.maximumDelay > 0 ? policy.maximumDelay : 0
      #expect(seconds >= 5 && seconds <= 5 + limit, "seed \(random.seed): \(policy), \(attempt), \(jitter): \(seconds)")
    }
  }
}

@Suite("Retry-After")
struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT, by `date -u -d @784111777`.
  let now = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    "seconds and all three forms of a date are read",
    arguments: [
      ("120", 120), ("0", 0), (" 7\t", 7), ("Sun, 06 Nov 1994 08:50:07 GMT", 30),
      ("Sunday, 06-Nov-94 08:50:07 GMT", 30), ("Sun Nov  6 08:50:07 1994", 30),
      ("Sun, 06 Nov 1994 08:49:07 GMT", 0), ("99999999999999999999", 2_147_483_648),
    ])
  func reads(_ text: String, _ seconds: Double) {
    #expect(RetryAfter.seconds(text, now: now) == seconds)
  }

  @Test("anything else is no time", arguments: [nil, "", "-1", "1.5", "1e3", "soon", "10, 20", "１"])
  func rejects(_ text: String?) {
    #expect(RetryAfter.seconds(text, now: now) == nil)
  }
}
