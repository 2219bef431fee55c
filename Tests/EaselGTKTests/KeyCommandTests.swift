import Testing

@testable import EaselGTK

@Suite("What keys mean")
struct KeyCommandTests {
  @Test("Tab moves the focus on, Shift-Tab back, whichever keysym the display sends for it")
  func tab() {
    #expect(KeyCommand(key: 0xFF09, shift: false, control: false) == .focusNext)
    #expect(KeyCommand(key: 0xFF09, shift: true, control: false) == .focusPrevious)
    #expect(KeyCommand(key: 0xFE20, shift: true, control: false) == .focusPrevious)
  }

  @Test("Return, Enter and Space activate", arguments: [0xFF0D, 0xFF8D, 0x20] as [UInt32])
  func activation(key: UInt32) {
    #expect(KeyCommand(key: key, shift: false, control: false) == .activate)
  }

  @Test("the Menu key and Shift-F10 open the menu, F10 alone does not")
  func menu() {
    #expect(KeyCommand(key: 0xFF67, shift: false, control: false) == .menu)
    #expect(KeyCommand(key: 0xFFC7, shift: true, control: false) == .menu)
    #expect(KeyCommand(key: 0xFFC7, shift: false, control: false) == nil)
  }

  @Test("Page Down, the arrows and End scroll")
  func scrolling() {
    #expect(KeyCommand(key: 0xFF56, shift: false, control: false) == .scroll(by: .pages(1)))
    #expect(KeyCommand(key: 0xFF52, shift: false, control: false) == .scroll(by: .points(x: 0, y: -60)))
    #expect(KeyCommand(key: 0xFF57, shift: false, control: false) == .scrollToEnd)
  }

  @Test("letters and combinations with Control are left alone")
  func others() {
    #expect(KeyCommand(key: 0x61, shift: false, control: false) == nil)
    #expect(KeyCommand(key: 0xFF09, shift: false, control: true) == nil)
  }
}
