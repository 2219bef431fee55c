import Foundation
import GalleryApp

exit(await GalleryCommand.run(Array(CommandLine.arguments.dropFirst())))
