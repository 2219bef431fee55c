import CompatSample
import ExampleSupport

let sample = SampleCommand(
  "Compat", about: "AsyncImageCompat beside AsyncImage: the same code, the same pictures.",
  size: CompatView.size, moments: CompatView.moments
) { photos in
  CompatView(picture: photos.cat, missing: photos.missing)
}
sample.main(Array(CommandLine.arguments.dropFirst()))
