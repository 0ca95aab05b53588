import Foundation
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// The words for a line that is not a reply say why, and quote what is at fault.
@Suite(.bounded) struct GarbledLineTests {
    private static let good = #"{"id":1,"type":"handshake"}"#

    /// Returns the words for a line; nil if it can be read.
    private func words(_ line: [UInt8], before further: [String] = []) -> String? {
        do {
            _ = try WireHeader.read(line)
            return nil
        } catch {
            return GarbledLine.words(for: line, error, before: further.map { Array($0.utf8) }[...])
        }
    }

    @Test func aReplyIsRead() { #expect(words(Array(Self.good.utf8)) == nil) }

    @Test(
        arguments: [
            ("", [], "an empty line"), (" \r", [good], "an empty line"),
            ("", ["", "usage: foo", good], "an empty line, 'usage: foo'"),
            (#"{"id":"1","type":"x"}"#, [good], #"'id' has another type, in '{"id":"1","type":"x"}'"#),
            (#"{"type":"x"}"#, ["then this"], #"it lacks 'id', in '{"type":"x"}', 'then this'"#),
        ] as [(String, [String], String)])
    func theReasonIsNamed(line: String, further: [String], words: String) {
        #expect(self.words(Array(line.utf8), before: further) == words)
    }

    /// Of a long line the beginning looks right where the fault is at its end.
    @Test func theEndOfALongLineIsQuoted() throws {
        let padding = String(repeating: "x", count: 500)
        let text = try #require(words(Array((Self.good.dropLast() + #","pad":"\#(padding)","late":NaN}"#).utf8)))
        #expect(text.hasPrefix("not JSON (invalid value around character "), "\(text)")
        #expect(text.hasSuffix(#"…\#(String(repeating: "x", count: 27))","late":NaN}'"#), "\(text)")
    }

    @Test func whatIsNestedTooDeeplyIsNamed() throws {
        let lists = String(repeating: "[", count: 2000) + String(repeating: "]", count: 2000)
        let text = try #require(words(Array((Self.good.dropLast() + #","x":\#(lists)}"#).utf8)))
        #expect(text.contains("too many nested arrays or dictionaries"), "\(text)")
    }

    /// The decoder would take these, and a member that is there twice would not be found in them.
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian])
    func otherEncodingsAreRefused(encoding: String.Encoding) throws {
        let line = try #require(Self.good.data(using: encoding))
        #expect(words(Array(line))?.hasPrefix("not JSON in UTF-8") == true)
    }

    @Test func aStringThatIsNotUTF8IsRefused() {
        let line = Array(Self.good.utf8.dropLast()) + Array(#","x":""#.utf8) + [0xff] + Array(#""}"#.utf8)
        #expect(words(line)?.hasPrefix("not JSON in UTF-8") == true)
    }

    @Test(arguments: ["!!!!", "AQI", "-_8="])
    func whatIsNotBase64IsNamed(text: String) {
        let line = Data(#"{"report":{"chain":["AQI=","\#(text)"]}}"#.utf8)
        let error = #expect(throws: WireError.self) { try ProgramJSON.decode(WireHandshakeReply.self, line) }
        #expect(error?.description == "'report.chain.1' is not base64 with padding (RFC 4648 section 4)")
    }
}
