// What an app imports: views and windows.
@_exported import EaselCore
@_exported import EaselGTK
