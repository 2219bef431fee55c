import Foundation
import Synchronized
import Testing
import VignetteTesting

@testable import CachingProxy

@Suite("The rules of RFC 9111, through the proxy", .timeLimit(.minutes(3)))
struct CachingRulesTests {
  @Test("freshness (section 4.2)", arguments: CachingRules.freshness)
  func freshness(_ rule: Rule) async throws { try await run(rule) }

  @Test("directives of responses (section 5.2.2)", arguments: CachingRules.directives)
  func directives(_ rule: Rule) async throws { try await run(rule) }

  @Test("directives of requests (section 5.2.1)", arguments: CachingRules.requests)
  func requests(_ rule: Rule) async throws { try await run(rule) }

  @Test("statuses (section 3)", arguments: CachingRules.statuses)
  func statuses(_ rule: Rule) async throws { try await run(rule) }

  @Test("variants (section 4.1)", arguments: CachingRules.variants)
  func variants(_ rule: Rule) async throws { try await run(rule) }

  @Test("validation (section 4.3)", arguments: CachingRules.validation)
  func validation(_ rule: Rule) async throws { try await run(rule) }

  @Test("invalidation (section 4.4)", arguments: CachingRules.invalidation)
  func invalidation(_ rule: Rule) async throws { try await run(rule) }

  @Test("stale responses (section 4.2.4, RFC 5861)", arguments: CachingRules.stalePermissions)
  func stalePermissions(_ rule: Rule) async throws { try await run(rule) }

  private func run(_ rule: Rule) async throws {
    let current = Locked<(step: Step, body: String)>((Step(source: .origin), ""))
    let stage = try ProxyStage { request in
      let (step, body) = current.withLock { $0 }
      var answer = ScriptedServer.Response.text(step.status == 204 ? "" : body, status: step.status)
      for (name, value) in step.response { answer = answer.header(name, value) }
      if case .confirmed = step.source { answer.status = 304 }
      return answer
    }
    var last: [String: RawResponse] = [:]
    for (number, step) in rule.steps.enumerated() {
      stage.clock.advance(by: step.wait)
      current.withLock { $0 = (step, "body \(number)") }
      let asked = stage.origin.log.totalRequests
      let response = try await stage.send(step.method, step.target, step.request)
      let wasAsked = stage.origin.log.totalRequests - asked
      let place = step.target + (step.request.first { $0.hasPrefix("Foo") } ?? "")
      switch step.source {
      case .origin:
        #expect(wasAsked == 1, "step \(number)")
        #expect(response.status == step.status)
        #expect(response.text == (step.status == 204 ? "" : "body \(number)"), "step \(number)")
      case .cache:
        #expect(wasAsked == (step.status == 503 && rule.testDescription == "stale-if-error" ? 1 : 0), "step \(number)")
        expectSame(response, last[place] ?? last[step.target], step, "step \(number)")
        #expect(response.headers["Age"] != nil)
      case .confirmed:
        #expect(wasAsked == 1, "step \(number)")
        let headers = stage.origin.log.requests.last?.headers
        #expect(headers?["If-None-Match"] != nil || headers?["If-Modified-Since"] != nil)
        expectSame(response, last[place] ?? last[step.target], step, "step \(number)")
      case .proxy(let status):
        #expect(wasAsked == 0)
        #expect(response.status == status)
      }
      if step.method == "GET" {
        last[place] = response
        last[step.target] = response
      }
    }
  }

  private func expectSame(_ response: RawResponse, _ stored: RawResponse?, _ step: Step, _ comment: Comment) {
    #expect(response.status == stored?.status, comment)
    #expect(response.body == (step.method == "HEAD" ? Data() : stored?.body), comment)
  }
}
