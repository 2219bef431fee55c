import Pixels

/// Several processors in a row, each given the result of the one before.
extension ImageProcessor {
  /// A key for a list: lists with different ids, or in another order, have different keys, and the key of the first few
  /// processors is the beginning of the key of them all. Empty for an empty list.
  ///
  /// Each id follows its own length in bytes, so that no id can look like the end of one and the beginning of the next.
  public static func key(of processors: [ImageProcessor]) -> String {
    processors.map { "\($0.id.utf8.count):\($0.id)" }.joined()
  }

  /// Applies `processors` in order. Throws what the first of them to fail throws.
  public static func process(
    _ bitmap: Bitmap, by processors: [ImageProcessor], _ context: ProcessorContext
  ) throws -> Bitmap {
    try processors.reduce(bitmap) { try $1.process($0, context) }
  }
}
