import EaselCore
import Pixels
import Testing

extension ViewHost {
  @MainActor convenience init(phone view: some View, scale: CGFloat = 1, scheme: ColorScheme = .light) {
    self.init(view, size: CGSize(width: 390, height: 600), scale: scale) { $0.colorScheme = scheme }
  }

  var tabs: [String] { accessibilityTree().filter { $0.role == .tab }.map(\.label) }
  var selectedTabs: [String] { accessibilityTree().filter { $0.role == .tab && $0.isSelected }.map(\.label) }
  var texts: [String] { accessibilityTree().filter { $0.role == .text }.map(\.label) }
}

extension Bitmap {
  /// Whether all pixels are the same.
  var isEmptyPicture: Bool {
    withUnsafeBytes { bytes in
      guard bytes.count >= 4 else { return true }
      return stride(from: 0, to: bytes.count - 3, by: 4).allSatisfy { index in
        (0..<4).allSatisfy { bytes[index + $0] == bytes[$0] }
      }
    }
  }
}

extension CGRect {
  var middle: CGPoint { CGPoint(x: midX, y: midY) }
}
