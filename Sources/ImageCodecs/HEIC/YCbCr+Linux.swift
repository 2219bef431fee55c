#if !canImport(Darwin) && HEIC
  /// How brightness and colour come to red, green and blue: each of them is a weighted sum, for which samples are taken as
  /// they are (ITU-T H.273, section 8.3).
  struct YCbCr {
    struct Channel {
      var luma: Float
      var blue: Float
      var red: Float
      var constant: Float
    }

    let red: Channel
    let green: Channel
    let blue: Channel

    /// - Parameter numbers: what is said of the matrix and the range; without, BT.601 and limited, as streams are.
    init(_ numbers: HEIFColor.Numbers?, bitDepth: Int, _ layout: ChromaLayout) {
      let range = Range(bitDepth: bitDepth, isFull: numbers?.isFullRange ?? false)
      switch (numbers?.matrix, layout) {
      case (_, .grey):
        (red, green, blue) = (range.channel(1, 0, 0), range.channel(1, 0, 0), range.channel(1, 0, 0))
      case (0, _):
        // The planes are green, blue and red.
        let scale = 255 / range.lumaSpan
        red = Channel(luma: 0, blue: 0, red: scale, constant: -range.lumaLeast * scale)
        green = Channel(luma: scale, blue: 0, red: 0, constant: -range.lumaLeast * scale)
        blue = Channel(luma: 0, blue: scale, red: 0, constant: -range.lumaLeast * scale)
      case (8, _):
        // YCgCo: the planes of colour are green's and orange's.
        (red, green, blue) = (range.channel(1, -1, 1), range.channel(1, 1, 0), range.channel(1, -1, -1))
      default:
        let (kr, kb) = Self.weights(numbers?.matrix)
        let (r, b) = (2 - 2 * kr, 2 - 2 * kb)
        let kg = 1 - kr - kb
        red = range.channel(1, 0, r)
        green = range.channel(1, -kb * b / kg, -kr * r / kg)
        blue = range.channel(1, b, 0)
      }
    }

    /// What red and blue weigh in brightness (table 4); codes nobody uses for pictures are taken for BT.601.
    private static func weights(_ code: Int?) -> (red: Float, blue: Float) {
      switch code {
      case 1: (0.2126, 0.0722)
      case 4: (0.30, 0.11)
      case 7: (0.212, 0.087)
      case 9, 10: (0.2627, 0.0593)
      default: (0.299, 0.114)
      }
    }

    /// The least sample of brightness, the middle one of colour, and how many of each there are (section 8.3, equations 30
    /// to 32).
    private struct Range {
      let lumaLeast: Float
      let lumaSpan: Float
      let chromaMiddle: Float
      let chromaSpan: Float

      init(bitDepth: Int, isFull: Bool) {
        let unit = Float(1 << (bitDepth - 8))
        chromaMiddle = 128 * unit
        lumaLeast = isFull ? 0 : 16 * unit
        lumaSpan = isFull ? 256 * unit - 1 : 219 * unit
        chromaSpan = isFull ? 256 * unit - 1 : 224 * unit
      }

      func channel(_ luma: Float, _ blue: Float, _ red: Float) -> Channel {
        let (l, c) = (luma * 255 / lumaSpan, 255 / chromaSpan)
        return Channel(
          luma: l, blue: blue * c, red: red * c, constant: -lumaLeast * l - (blue + red) * chromaMiddle * c)
      }
    }
  }
#endif
