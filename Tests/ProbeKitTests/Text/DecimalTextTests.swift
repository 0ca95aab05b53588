import ProbeKit
import Testing

@Suite struct DecimalTextTests {
    @Test func digitsAreRead() {
        #expect(Int(decimal: "0") == 0)
        #expect(Int(decimal: "007") == 7)
        #expect(UInt8(decimal: "255"[...]) == 255)
        #expect(Double(decimal: "2.5") == 2.5)
    }

    @Test(arguments: ["", "+1", "-1", " 1", "1 ", "0x1", "1_000", "1e3", "\u{0661}", "256", "1\u{301}"])
    func othersAreNil(text: String) {
        #expect(UInt8(decimal: text) == nil)
    }

    @Test(arguments: ["first-+2", "first-", "first-0", "first-101"]) func positions(text: String) {
        #expect(PinPosition(text) == nil)
    }
}
