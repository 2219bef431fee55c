// only: swift6
// expect: main actor-isolated
import VignetteUI

struct Retrier: Sendable {
  let retry: ImageRetryAction

  nonisolated func perform() async {
    let now = { retry() }
    now()
  }
}
