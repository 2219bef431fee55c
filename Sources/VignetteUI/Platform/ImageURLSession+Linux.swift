#if !canImport(Darwin)
  import EaselCore
  import Foundation

  extension View {
    /// `imageURLSession(_:)` by the name Apple's modifier has
    /// (developer.apple.com/documentation/swiftui/view/asyncimageurlsession(_:)). On Apple's platforms that name is
    /// Apple's alone, and is for Apple's view.
    public func asyncImageURLSession(_ session: URLSession) -> some View { imageURLSession(session) }
  }
#endif
