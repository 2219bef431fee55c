import CompatSample
import ExampleSupport
import Foundation

exit(
  await SampleCommand.run(
    "Compat", about: "AsyncImageCompat beside AsyncImage: the same code, the same pictures.",
    arguments: Array(CommandLine.arguments.dropFirst()), moments: CompatView.moments))
