/// The book-keeping of one host: which nodes are out of date, which effects are due, the clock and what runs on it.
///
/// Invariants: a node is queued at most once; nodes are evaluated parents first, so a parent's new value reaches a
/// child before the child is evaluated for itself; effects (appearances, changes, tasks) run after the evaluation that
/// raised them and never inside it. The graph owns no nodes beyond its queues.
@MainActor final class Graph {
  /// The rounds one `update()` may take before the rest is left for the next frame (state set in a body loops).
  static let maximumRounds = 64

  private var queue: [ObjectIdentifier: Node] = [:]
  private var effects: [() -> Void] = []
  /// The transaction in force while nodes are evaluated.
  private(set) var transaction = Transaction()
  let animations = AnimationClock()
  var preferencesChanged = false
  var layoutIsDirty = true
  /// Nodes that follow preferences of their descendants.
  private var preferenceReaders: [WeakNode] = []
  private(set) var diagnostics: [EaselDiagnostic] = []
  /// Called when something has become out of date, at most once until `frameDidStart`.
  var onNeedsFrame: (@MainActor () -> Void)?
  private(set) var needsFrame = true

  var hasQueuedNodes: Bool { !queue.isEmpty }
  var isSettled: Bool { queue.isEmpty && effects.isEmpty && !preferencesChanged }

  func requestFrame() {
    guard !needsFrame else { return }
    needsFrame = true
    onNeedsFrame?()
  }

  func frameDidStart() { needsFrame = false }

  func report(_ diagnostic: EaselDiagnostic) {
    guard !diagnostics.contains(diagnostic) else { return }
    diagnostics.append(diagnostic)
  }

  // MARK: Evaluation

  func enqueue(_ node: Node, transaction: Transaction) {
    queue[ObjectIdentifier(node)] = node
    // The first animated change of a frame decides; a plain one must not take its animation away.
    if node.pendingTransaction?.animation == nil { node.pendingTransaction = transaction }
    requestFrame()
  }

  /// Takes the node from the queue; the transaction it waited under, if it waited.
  @discardableResult
  func dequeue(_ node: Node) -> Transaction? {
    guard let pending = node.pendingTransaction else { return nil }
    node.pendingTransaction = nil
    queue[ObjectIdentifier(node)] = nil
    return pending
  }

  /// Evaluates everything that is out of date, once, parents first.
  func evaluateQueue() {
    let nodes = queue.values.sorted { $0.depth < $1.depth }
    for node in nodes where node.isMounted {
      // A node evaluated meanwhile by its parent is no longer waiting.
      guard let pending = dequeue(node) else { continue }
      withTransaction(adjusted(pending, for: node)) { node.reevaluate() }
    }
    for node in nodes where !node.isMounted { dequeue(node) }
  }

  /// The transaction as the modifiers around the node leave it, outermost first.
  private func adjusted(_ transaction: Transaction, for node: Node) -> Transaction {
    var ancestors: [Node] = []
    var next = node.parent
    while let ancestor = next {
      ancestors.append(ancestor)
      next = ancestor.parent
    }
    return ancestors.reversed().reduce(into: transaction) { $1.adjust(&$0) }
  }

  func withTransaction(_ transaction: Transaction, _ body: () -> Void) {
    let outer = self.transaction
    self.transaction = transaction
    body()
    self.transaction = outer
  }

  // MARK: Effects

  func schedule(_ effect: @escaping () -> Void) {
    effects.append(effect)
    requestFrame()
  }

  func runEffects() {
    let due = effects
    effects = []
    for effect in due { effect() }
  }

  /// Runs the last effects and lets go of everything that waits: nodes in the queue, and effects that hold nodes, would
  /// keep the graph alive, which keeps them. Called once every node is unmounted, or cannot be reached any more.
  func end() {
    for _ in 0..<Self.maximumRounds where !effects.isEmpty { runEffects() }
    forgetWaiting()
  }

  func forgetWaiting() {
    effects = []
    for node in queue.values { dequeue(node) }
  }

  // MARK: Preferences

  func addPreferenceReader(_ node: Node) {
    preferenceReaders.append(WeakNode(node: node))
    preferencesChanged = true
    requestFrame()
  }

  func notifyPreferenceReaders() {
    guard preferencesChanged else { return }
    preferencesChanged = false
    preferenceReaders.removeAll { $0.node?.isMounted != true }
    // Innermost first: an outer reader may depend on what an inner one makes of it.
    for reader in preferenceReaders.reversed() { (reader.node as? any PreferenceReading)?.readPreferences() }
  }
}

struct WeakNode {
  weak var node: Node?
}

/// What a host could not do as asked. Reported once each, in `ViewHost.diagnostics`.
public enum EaselDiagnostic: Hashable, Sendable {
  /// Views nested deeper than `limit` nodes are left out.
  case tooDeep(limit: Int)
  /// State kept changing for this many rounds of one update; the rest waits for the next frame.
  case unsettled(rounds: Int)
  /// An identifier occurs twice in one `ForEach`; the later elements are told apart by their place.
  case duplicateIdentifier(String)
  /// A text or picture could not be set up by the drawing library.
  case drawing(String)
}
