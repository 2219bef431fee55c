import CachedListSample
import ExampleSupport
import Foundation

exit(
  await SampleCommand.run(
    "CachedList", about: "A list of pictures with caches of its own, their statistics, and a button that clears them.",
    arguments: Array(CommandLine.arguments.dropFirst()), moments: CachedListView.moments))
