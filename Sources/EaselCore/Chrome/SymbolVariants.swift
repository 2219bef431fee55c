/// The version of a symbol that suits the place it is in, by SwiftUI's names.
public struct SymbolVariants: Hashable, Sendable {
  let isFilled: Bool

  public static let none = SymbolVariants(isFilled: false)
  public static let fill = SymbolVariants(isFilled: true)
}

private enum SymbolVariantsKey: EnvironmentKey {
  static var defaultValue: SymbolVariants { .none }
}

private enum SymbolFontKey: EnvironmentKey {
  static var defaultValue: Font? { nil }
}

extension EnvironmentValues {
  public var symbolVariants: SymbolVariants {
    get { self[SymbolVariantsKey.self] }
    set { self[SymbolVariantsKey.self] = newValue }
  }

  /// The font symbols are sized by where it differs from that of the texts beside them, as in a tab bar.
  var symbolFont: Font? {
    get { self[SymbolFontKey.self] }
    set { self[SymbolFontKey.self] = newValue }
  }
}

extension View {
  /// Shows the symbols inside in a variant; those that have none stay as they are.
  nonisolated public func symbolVariant(_ variant: SymbolVariants) -> some View {
    environment(\.symbolVariants, variant)
  }
}

extension Image {
  /// The picture with its symbol replaced by a variant, where there is one.
  func symbolVariant(_ variant: SymbolVariants) -> Image {
    guard variant.isFilled, case .symbol(let name) = source else { return self }
    let filled = name + ".fill"
    return SymbolCatalog.contains(filled) ? replacingSymbol(with: filled) : self
  }
}
