#if !canImport(Darwin)
  /// One turn of the event loop as its transfers see it: the time, read once, and whose readers have news.
  final class CurlTurn {
    /// Monotonic, in seconds.
    var now = 0.0
    private var news: [CurlTransfer] = []
    /// When the oldest news came.
    private(set) var newsTime = 0.0

    var hasNews: Bool { !news.isEmpty }

    func note(_ transfer: CurlTransfer) {
      if news.isEmpty { newsTime = now }
      news.append(transfer)
    }

    func wakeReaders() {
      for transfer in news { transfer.tellNews() }
      news.removeAll(keepingCapacity: true)
    }
  }
#endif
