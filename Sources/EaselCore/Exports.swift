// An app needs one import, as with SwiftUI.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import Observation
