import EaselCore
import Foundation
import HTTPCaching
import ImageCodecs
import Pixels
import Vignette
import VignetteUITesting

/// Walks through the moments of the app's use without a display and draws each to a PNG file.
///
/// The animation clock is moved by hand and the embedded server holds its pictures back until asked, so that
/// "placeholders" and "mid-fade" are states and not luck.
@MainActor
public final class Storyboard {
  /// The window, in points.
  static let size = CGSize(width: 440, height: 840)
  /// Rows visited on the way to the end of a list; longer lists are left there.
  static let longestWalk = 120

  public struct Report: Sendable {
    public var files: [URL] = []
    /// What should have been on a picture and was not, a sentence each.
    public var missing: [String] = []
    public var counters = PipelineCounters()
  }

  /// A file could not be written.
  public struct Unwritable: Error, CustomStringConvertible {
    public var file: URL

    public var description: String { "\(file.path) cannot be written; choose another folder with --output." }
  }

  /// The longest wait for what a moment shows, in seconds.
  public var patience: Double = 20

  private let options: GalleryOptions
  private let scale: CGFloat
  private let server: EmbeddedServer?
  private let model: GalleryModel
  private let stage: ViewHarness
  private let announce: (URL) -> Void
  private var report = Report()

  /// - Parameters:
  ///   - scale: pixels per point.
  ///   - announce: told of each file when it is written.
  public init(_ options: GalleryOptions, scale: CGFloat, announce: @escaping (URL) -> Void) throws {
    self.options = options
    self.scale = scale
    self.announce = announce
    server = options.api == nil ? try EmbeddedServer() : nil
    let session = GallerySession()
    let base = options.api ?? server?.apiURL ?? URL(fileURLWithPath: "/")
    let model = GalleryModel(api: GalleryAPI(baseURL: base, loader: session.loader), count: options.rows)
    self.model = model
    stage = ViewHarness(size: Self.size, scale: scale, pipeline: session.pipeline) {
      GalleryView(model: model)
    }
  }

  /// Draws every moment.
  /// - Throws: `Unwritable`, or `ViewHarness.TimedOut` when the app stopped getting anywhere.
  public func run() async throws -> Report {
    defer {
      stage.host.unmount()
      server?.stop()
    }
    guard try await openList(.nature) else { return report }
    stage.advance(by: 0.4)
    try draw("placeholders")

    server?.photoGate.open()
    try await resolveVisibleRows()
    stage.advance(by: 0.2)
    try draw("mid-fade")

    stage.advance(by: 1)
    expectPictures(in: "loaded", try draw("loaded"))
    if server != nil { try await failAndRetry() }

    try await walkToEnd()
    expectPictures(in: "scrolled", try draw("scrolled"))

    stage.host.colorScheme = .dark
    scroll(by: -1e9)
    try await resolveVisibleRows()
    stage.advance(by: 1)
    expectPictures(in: "dark", try draw("dark"))

    stage.host.colorScheme = .light
    stage.host.activate(Topic.space.title)
    guard try await openList(.space) else { return report }
    try await resolveVisibleRows()
    stage.advance(by: 1)
    expectPictures(in: "second-tab", try draw("second-tab"))

    report.counters = stage.pipeline.counters
    return report
  }

  // MARK: Moments

  /// Waits for a topic's list. Draws what there is instead when it cannot be had, and answers `false`.
  private func openList(_ topic: Topic) async throws -> Bool {
    try await stage.until(within: patience) {
      if case .loading = model.list(topic) { return false }
      return true
    }
    stage.advance(by: 0)
    if !model.photos(topic).isEmpty { return true }
    try draw("list-failed")
    if case .failed(let message) = model.list(topic) {
      report.missing.append("The list of \(topic.title) could not be loaded: \(message)")
    } else {
      report.missing.append("The list of \(topic.title) is empty.")
    }
    return false
  }

  /// The row that fails once: its error with the button, then what the button brings.
  private func failAndRetry() async throws {
    let title = Catalogue.flakyTitle
    let button = "Try again: \(title)"
    try await scroll(untilVisible: button)
    stage.advance(by: 1)
    try draw("error")
    guard stage.host.activate(button) else {
      report.missing.append("error: there is no button \"\(button)\".")
      return
    }
    try await stage.until(within: patience) { stage.labels(.image).contains(title) }
    stage.advance(by: 1)
    let picture = try draw("after-retry")
    if let element = stage.host.element(labeled: title, role: .image), !isDrawn(element, in: picture) {
      report.missing.append("after-retry: \(title)")
    }
  }

  // MARK: Scrolling

  private func scroll(by distance: CGFloat) {
    stage.host.scroll(by: CGSize(width: 0, height: distance), at: stage.host.size.center)
    stage.host.update()
  }

  private func scroll(untilVisible label: String) async throws {
    for _ in 0..<Self.longestWalk {
      let element = stage.host.element(labeled: label)
      if let element, element.frame.maxY < Self.size.height - 100 { return }
      scroll(by: 80)
      try await resolveVisibleRows()
    }
  }

  /// Visits every row, so that every picture is loaded and drawn once.
  private func walkToEnd() async throws {
    let step = Self.size.height * 0.6
    var last: [CGRect] = []
    for _ in 0..<Self.longestWalk {
      scroll(by: step)
      try await resolveVisibleRows()
      stage.advance(by: 1)
      _ = stage.snapshot()
      let frames = stage.host.accessibilityTree().map(\.frame)
      if frames == last { return }
      last = frames
    }
  }

  /// Waits until every row on the screen shows its picture or its failure.
  private func resolveVisibleRows() async throws {
    try await stage.until(within: patience) { stage.labels(.progress).isEmpty }
  }

  // MARK: Drawing

  @discardableResult
  private func draw(_ name: String) throws -> Bitmap {
    let picture = stage.snapshot()
    let file = options.output.appendingPathComponent("\(name)@\(Int(scale))x.png")
    let data = try ImageEncoder.png(picture)
    do {
      try FileManager.default.createDirectory(at: options.output, withIntermediateDirectories: true)
      try data.write(to: file)
    } catch {
      throw Unwritable(file: file)
    }
    report.files.append(file)
    announce(file)
    return picture
  }

  /// Every picture on the screen must really be there, not an empty or even area.
  private func expectPictures(in moment: String, _ picture: Bitmap) {
    let images = stage.host.accessibilityTree().filter { $0.role == .image }
    let visible = images.filter { isOnScreen($0.frame) }
    if visible.isEmpty { report.missing.append("\(moment): no picture is on the screen.") }
    for element in visible where !isDrawn(element, in: picture) {
      report.missing.append("\(moment): \(element.label)")
    }
  }

  private func isOnScreen(_ frame: CGRect) -> Bool {
    frame.maxY > 120 && frame.minY < Self.size.height - 120 && frame.height > 100
  }

  /// Whether the middle of an element shows more colours than a fill and a spinner would.
  private func isDrawn(_ element: AccessibilityElement, in picture: Bitmap) -> Bool {
    let area = element.frame.intersection(CGRect(origin: .zero, size: Self.size))
    guard !area.isNull, area.width > 8, area.height > 8 else { return false }
    var colours = Set<UInt32>()
    for row in 1..<40 {
      for column in 1..<40 {
        let x = Int((area.minX + area.width * CGFloat(column) / 40) * scale)
        let y = Int((area.minY + area.height * CGFloat(row) / 40) * scale)
        let pixel = picture[x, y]
        colours.insert(UInt32(pixel.red) << 16 | UInt32(pixel.green) << 8 | UInt32(pixel.blue))
      }
    }
    return colours.count > 64
  }
}

extension CGSize {
  fileprivate var center: CGPoint { CGPoint(x: width / 2, y: height / 2) }
}
