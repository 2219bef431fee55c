import ExampleSupport
import FullResolutionSample

let sample = SampleCommand(
  "FullResolution", about: "A small picture first; every pixel of it from the context menu.",
  size: FullResolutionView.size, moments: FullResolutionView.moments
) { photos in
  FullResolutionView(url: photos.twelveMegapixels)
}
sample.main(Array(CommandLine.arguments.dropFirst()))
