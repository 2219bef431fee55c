import ExampleSupport
import Foundation
import FullResolutionSample

exit(
  await SampleCommand.run(
    "FullResolution", about: "A small picture first; every pixel of it from the context menu.",
    arguments: Array(CommandLine.arguments.dropFirst()), moments: FullResolutionView.moments))
