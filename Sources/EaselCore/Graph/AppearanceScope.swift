/// What is shown and hidden as one: the window, a tab's page, a pushed page. Lifecycle nodes register with the scope
/// they are in and appear and disappear with it; their state stays.
///
/// Invariant: a member is told of an appearance only after a disappearance and the reverse.
@MainActor final class AppearanceScope {
  private(set) weak var outer: AppearanceScope?
  private var inner: [Weak<AppearanceScope>] = []
  private var members: [Weak<Node>] = []
  private(set) var isShown: Bool

  init(outer: AppearanceScope? = nil, isShown: Bool = true) {
    self.outer = outer
    self.isShown = isShown
    outer?.adopt(self)
  }

  var isVisible: Bool { isShown && outer?.isVisible != false }

  /// Shows or hides this scope and, through it, all within.
  func setShown(_ shown: Bool) {
    guard shown != isShown else { return }
    isShown = shown
    if outer?.isVisible != false { visibilityChanged() }
  }

  private func adopt(_ scope: AppearanceScope) {
    if inner.count > 32, inner.count.isMultiple(of: 32) { inner.removeAll { $0.value == nil } }
    inner.append(Weak(value: scope))
  }

  func add(_ node: some Node & AppearanceFollowing) {
    if members.count > 32, members.count.isMultiple(of: 32) { members.removeAll { $0.value?.isMounted != true } }
    members.append(Weak(value: node))
  }

  private func visibilityChanged() {
    members.removeAll { $0.value?.isMounted != true }
    for member in members { (member.value as? any AppearanceFollowing)?.appearanceChanged() }
    inner.removeAll { $0.value == nil }
    for scope in inner where scope.value?.isShown == true { scope.value?.visibilityChanged() }
  }
}

@MainActor protocol AppearanceFollowing: AnyObject {
  func appearanceChanged()
}

struct Weak<Value: AnyObject> {
  weak var value: Value?
}
