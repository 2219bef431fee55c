import Easel
import GalleryApp

/// The gallery in a window.
@MainActor
public enum GalleryWindow {
  /// Opens the window and returns the exit status when it is closed.
  /// - Throws: `GTKError` where there is no display, or the system's error where the embedded server gets no port.
  public static func run(_ options: GalleryOptions) throws -> Int32 {
    try GTK.start(program: "Gallery")
    let gallery = try LiveGallery(options)
    let window = try GTKWindow(gallery.view, title: "Gallery", size: LiveGallery.size)
    window.show()
    GTK.run()
    gallery.stop()
    GalleryCommand.write("\(gallery.counters), frames \(window.frameCount)\n", to: .standardOutput)
    return 0
  }
}
