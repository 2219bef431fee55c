import Foundation
import HTTPCaching
import Vignette

/// What one run of the app loads through: a loader for lists and pictures, and a pipeline with budgets that suit a
/// window of a few rows.
struct GallerySession {
  let loader: HTTPLoader
  let pipeline: ImagePipeline

  init() {
    var http = HTTPLoader.Configuration()
    http.memoryBudget = 4 << 20
    loader = HTTPLoader(transport: CurlTransport.shared, configuration: http)
    var configuration = ImagePipeline.Configuration(loader: .http(loader))
    configuration.memoryBudget = 16 << 20
    // What fails is part of the show, and has a button to try again.
    configuration.retry = .never
    pipeline = ImagePipeline(configuration: configuration)
  }
}
