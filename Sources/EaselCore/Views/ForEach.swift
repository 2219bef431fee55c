/// A view for each element of a collection. A child's identity is its element's identifier; where one occurs twice the
/// later elements are told apart by their place.
nonisolated public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  public var data: Data
  public var content: (Data.Element) -> Content
  let identifier: (Data.Element) -> ID
}

extension ForEach: View, PrimitiveView where Content: View {
  public typealias Body = Never

  public init(
    _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.init(data: data, content: content, identifier: { $0[keyPath: id] })
  }

  @MainActor public static func _makeNode(
    _ view: Self, parent: Node, environment: EnvironmentValues
  ) -> ViewNode<Self> {
    ForEachNode(view, parent: parent, environment: environment)
  }
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    self.init(data: data, content: content, identifier: { $0.id })
  }
}

extension ForEach where Content: View, Data == Range<Int>, ID == Int {
  public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
    self.init(data: data, content: content, identifier: { $0 })
  }
}

extension ForEach where Content: View {
  /// A binding to each element.
  public init<C>(
    _ data: Binding<C>, id: KeyPath<C.Element, ID>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
  ) where Data == [BindingElement<C>], C: MutableCollection & RandomAccessCollection {
    let elements = data.wrappedValue.indices.map { BindingElement(collection: data, index: $0) }
    self.init(
      data: elements, content: { content($0.binding) }, identifier: { $0.binding.wrappedValue[keyPath: id] })
  }

  public init<C>(_ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
  where
    Data == [BindingElement<C>], C: MutableCollection & RandomAccessCollection, C.Element: Identifiable,
    ID == C.Element.ID
  {
    self.init(data, id: \.id, content: content)
  }
}

/// One element of a collection behind a binding.
public struct BindingElement<C: MutableCollection & RandomAccessCollection> {
  let collection: Binding<C>
  let index: C.Index

  var binding: Binding<C.Element> {
    let (collection, index) = (collection, index)
    let first = collection.wrappedValue[index]
    return Binding(
      read: {
        // The collection may have become shorter while a view still holds the element.
        let current = collection.wrappedValue
        return current.indices.contains(index) ? current[index] : first
      },
      write: { newValue in
        guard collection.wrappedValue.indices.contains(index) else { return }
        collection.wrappedValue[index] = newValue
      })
  }
}
