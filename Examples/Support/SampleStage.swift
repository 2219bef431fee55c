import EaselCore
import Foundation
import ImageCodecs
import Pixels
import Vignette
import VignetteUITesting

/// A sample's view in a window without a screen: wait for what it loads, then draw it to a PNG file.
@MainActor
public struct SampleStage {
  public let harness: ViewHarness
  public let colorScheme: ColorScheme
  private let folder: URL

  public init<Root: View>(
    size: CGSize, colorScheme: ColorScheme, pipeline: ImagePipeline, folder: URL, @ViewBuilder view: () -> Root
  ) {
    self.colorScheme = colorScheme
    self.folder = folder
    harness = ViewHarness(size: size, scale: 2, colorScheme: colorScheme, pipeline: pipeline, view: view)
  }

  /// Writes `NAME-light.png` or `NAME-dark.png` and says so on standard output.
  @discardableResult
  public func draw(_ name: String) throws -> Bitmap {
    let picture = harness.snapshot()
    let file = folder.appendingPathComponent("\(name)-\(colorScheme).png")
    try ImageEncoder.png(picture).write(to: file)
    print(file.path)
    return picture
  }
}
