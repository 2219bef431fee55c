import CachedListSample
import ExampleSupport

let sample = SampleCommand(
  "CachedList", about: "A list of pictures with caches of its own, their statistics, and a button that clears them.",
  size: CachedListView.size, moments: CachedListView.moments
) { photos in
  CachedListView(urls: photos.many(1000), store: ImageStore())
}
sample.main(Array(CommandLine.arguments.dropFirst()))
