import Foundation

/// The shipped photos by topic, and what the embedded server does wrong with some of them on purpose.
enum Catalogue {
  enum Behaviour: Sendable {
    case good
    /// Arrives piece by piece, over a second or so.
    case slow
    /// 404.
    case missing
    /// The first half of the file, with a length to match.
    case broken
    /// 503 the first time, the photo from then on.
    case flaky
  }

  struct Entry: Sendable {
    var file: String
    var title: String
    var credit: String
    var behaviour: Behaviour = .good
  }

  /// The rows of a topic, in order: the faulty ones once, the good ones again and again.
  static func rows(_ topic: Topic, count: Int) -> [Entry] {
    let entries = entries(topic)
    let good = entries.filter { $0.behaviour == .good }
    return (0..<count).map { row in
      row < entries.count ? entries[row] : good[(row - entries.count) % good.count]
    }
  }

  private static func entries(_ topic: Topic) -> [Entry] {
    switch topic {
    case .nature: nature
    case .space: space
    case .studio: studio
    }
  }

  /// The row that fails the first time it is asked for.
  static let flakyTitle = "Chelsea, once more"

  private static let nature = [
    Entry(file: "dandelion-left.jpg", title: "Dandelion clock", credit: "Clemens Engelhardt"),
    Entry(file: "dandelion-portrait-exif6.jpg", title: "Before the wind", credit: "Clemens Engelhardt"),
    Entry(file: "chelsea.png", title: "Chelsea", credit: "Stéfan van der Walt"),
    Entry(file: "dandelion-right.webp", title: "Seeds, close", credit: "Clemens Engelhardt", behaviour: .slow),
    Entry(file: "chelsea.jpg", title: flakyTitle, credit: "Stéfan van der Walt", behaviour: .flaky),
    Entry(file: "lost.jpg", title: "The lost picture", credit: "Unknown", behaviour: .missing),
    Entry(file: "dandelion-left.jpg", title: "Half a dandelion", credit: "Clemens Engelhardt", behaviour: .broken),
    Entry(file: "dandelion-12mp.jpg", title: "Twelve megapixels", credit: "Clemens Engelhardt"),
    Entry(file: "coffee.jpg", title: "Morning coffee", credit: "Rachel Michetti"),
  ]

  private static let space = [
    Entry(file: "hubble.jpg", title: "Extreme Deep Field", credit: "NASA"),
    Entry(file: "rocket.jpg", title: "DSCOVR lifts off", credit: "SpaceX"),
    Entry(file: "astronaut.jpg", title: "Eileen Collins", credit: "NASA"),
  ]

  private static let studio = [
    Entry(file: "coffee.webp", title: "Coffee", credit: "Rachel Michetti"),
    Entry(file: "coffee-round-alpha.png", title: "Coffee, cut out", credit: "Rachel Michetti"),
    Entry(file: "camera.jpg", title: "The photographer", credit: "Lav Varshney"),
    Entry(file: "retina.jpg", title: "Fundus", credit: "Mikael Häggström"),
  ]
}
