import Foundation
import ImageCodecs
import Pixels
import Testing

/// What the start tag of a drawing says; also where drawings are not decoded.
@Suite("The header of an SVG")
struct SVGHeaderTests {
  private static func svg(_ attributes: String) -> Data {
    Data("<svg xmlns=\"http://www.w3.org/2000/svg\" \(attributes)><rect/></svg>".utf8)
  }

  @Test(
    "its size is in pixels of CSS",
    arguments: [
      ("width='40' height='30'", 40, 30), ("width=\"40px\" height=\"30PX\"", 40, 30),
      ("width='1in' height='2.54cm'", 96, 96), ("width='25.4mm' height='72pt'", 96, 96),
      ("width='6pc' height='101.6Q'", 96, 96), ("width='2em' height='4ex'", 32, 32),
      ("width='4e1' height='3.0E+1px'", 40, 30), ("width='1e1em' height=' 8 '", 160, 8),
      ("width='12.4' height='12.5'", 12, 13), ("width='.3' height='0.001'", 1, 1),
      ("viewBox='0 0 24 48'", 24, 48), ("viewBox='-5,-5,24.6,48'", 25, 48),
      ("width='100%' height='100%' viewBox='0 0 24 48'", 24, 48), ("width='12' viewBox='0 0 24 48'", 12, 24),
      ("height='12' viewBox='0 0 24 48'", 6, 12), ("width='12' height='10' viewBox='0 0 24 48'", 12, 10),
      ("", 300, 150), ("width='40'", 40, 150), ("height='40'", 300, 40), ("width='auto' height='auto'", 300, 150),
      ("width='-4' height='40'", 300, 40), ("width='calc(1px)' height='1furlong'", 300, 150),
      ("viewBox='0 0 0 48'", 300, 150), ("viewBox='0 0 24'", 300, 150), ("viewBox='a b c d'", 300, 150),
      ("stroke-width='7' data-height='9'", 300, 150),
    ])
  func size(attributes: String, width: Int, height: Int) throws {
    let info = try #require(try ImageDecoder().probe(Self.svg(attributes)))
    #expect(info.size == PixelSize(width: width, height: height))
    #expect(info.format == .svg && info.isDrawing && info.hasAlpha && info.colorSpace == .sRGB)
  }

  @Test("a side of nothing is an error", arguments: ["width='0' height='4'", "width='4' height='0px'"])
  func empty(attributes: String) {
    #expect(codecError { _ = try ImageDecoder().probe(Self.svg(attributes)) }?.code == .corrupt)
  }

  @Test("sizes beyond the limits are refused, also those no number holds", arguments: ["1000001", "1e300", "9e18in"])
  func tooLarge(side: String) {
    let error = codecError { _ = try ImageDecoder().decode(Self.svg("width='\(side)' height='\(side)'")) }
    #expect(error?.code == .tooManyPixels)
  }

  private static let beginnings = [
    "", "\u{FEFF}", " \n\t", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", "<!-- <html> isn't > it -->",
    "<!DOCTYPE svg>", "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" 'http://www.w3.org/svg11.dtd'>\n",
    "<!DOCTYPE svg [ <!ENTITY ns \"a > b\"> <!-- don't --> <!ELEMENT x ANY> ]>", "<?a?><!--b--><?c?>",
  ]

  @Test("it is found behind what XML may begin with, and never before it is whole", arguments: beginnings)
  func prolog(beginning: String) throws {
    for element in ["svg", "svg:svg", "x:svg"] {
      let text = "\(beginning)<\(element) a='<' width = \"4\"\nheight='3'>"
      let data = Data(text.utf8)
      #expect(try ImageDecoder().probe(data)?.size == PixelSize(width: 4, height: 3))
      for count in 1..<data.count {
        #expect(
          try ImageDecoder().probe(data.prefix(count)) == nil, "\(String(decoding: data.prefix(count), as: UTF8.self))")
      }
    }
  }

  @Test(
    "other documents are no drawings",
    arguments: [
      "<html><svg width='1' height='1'/></html>", "<SVG width='1' height='1'/>", "<svgx/>", "<x svg='svg'/>",
      "<!DOCTYPE html><svg/>", "<!doctype svg><svg/>", "svg", "<svg <", "<svg a>", "<svg a=b>", "< svg>", "<>",
      "<!svg>",
      "<!DOCTYPE>", "{\"svg\": \"<svg/>\"}",
    ])
  func others(text: String) {
    #expect(codecError { _ = try ImageDecoder().probe(Data((text + "   ").utf8)) }?.code == .notAnImage)
  }

  @Test(
    "one that is cut off is truncated once it is named, and before that no picture",
    arguments: [
      ("<svg:svg  ", CodecError.Code.truncated), ("<svg width", .truncated), ("<svg width='", .truncated),
      ("<!DOCTYPE svg ", .truncated), ("<?xml version='1.0'?>", .notAnImage), ("\n           ", .notAnImage),
      ("          <", .notAnImage),
    ])
  func cutOff(text: String, code: CodecError.Code) {
    #expect(codecError { _ = try ImageDecoder().decode(Data(text.utf8)) }?.code == code)
    #expect(codecError { _ = try AnimationDecoder(Data(text.utf8)) }?.code == code)
  }

  @Test("a start tag that does not end for 64 KiB is not waited for")
  func endless() {
    for beginning in ["<!--", "<svg a='", "<!DOCTYPE svg [", String(repeating: " ", count: 8)] {
      let text = beginning + String(repeating: beginning == "        " ? " " : "x", count: 64 << 10)
      #expect(codecError { _ = try ImageDecoder().probe(Data(text.utf8)) }?.code == .notAnImage)
    }
  }

  #if canImport(Darwin) || !SVG
    @Test("where drawings are not decoded they are named")
    func unsupported() {
      let error = codecError { _ = try ImageDecoder().decode(Self.svg("width='4' height='3'")) }
      #expect(error?.code == .unsupportedFormat && error?.message.contains("SVG") == true)
    }
  #endif
}
