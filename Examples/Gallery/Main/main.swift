import Dispatch
import Easel
import Foundation
import GalleryApp
import GalleryWindow

let arguments = Array(CommandLine.arguments.dropFirst())

if let options = GalleryCommand.windowOptions(arguments, hasDisplay: GTK.environmentHasDisplay) {
  do {
    exit(try GalleryWindow.run(options))
  } catch {
    let reason = (error as? GTKError)?.message ?? error.localizedDescription
    GalleryCommand.write("\(reason)\nDrawing to files instead.\n", to: .standardError)
  }
}

Task { exit(await GalleryCommand.run(arguments)) }
dispatchMain()
