@_spi(Reflection) import Swift

struct StoredField {
  let offset: Int
  let type: Any.Type
}

/// The stored properties of a struct as the runtime describes them; empty for other kinds of type.
///
/// `Mirror` would copy every property into an existential each time; this is asked once a type.
func storedFields(of type: Any.Type) -> [StoredField] {
  var fields: [StoredField] = []
  _ = _forEachField(of: type, options: []) { _, offset, fieldType, _ in
    fields.append(StoredField(offset: offset, type: fieldType))
    return true
  }
  return fields
}
