import ProbeDNS
import ProbeKit
import Testing

/// The presentation form of character-strings (RFC 1035 section 5.1).
@Suite struct MasterFileStringsTests {
    @Test(
        arguments: [
            (#""dc,florida""#, ["dc,florida"]), ("dc,florida", ["dc,florida"]), ("a \"b c\"\td", ["a", "b c", "d"]),
            (#""a""b""#, ["a", "b"]), (#""""#, [""]), (#""a" "#, ["a"]), (#"a\ b"#, ["a b"]), (#""a\"b""#, ["a\"b"]),
            (#"\092\\"#, [#"\\"#]), (#"\0651"#, ["A1"]), (#"a"b"#, [#"a"b"#]), ("  a", ["a"]),
        ] as [(String, [String])])
    func stringsAreRead(text: String, strings: [String]) throws {
        let read = try MasterFileStrings.parse(text)
        #expect(read.map { String(decoding: $0, as: UTF8.self) } == strings)
    }

    @Test func everyByteHasAnEscape() throws {
        for byte in UInt8.min...UInt8.max {
            let digits = String(1000 + Int(byte)).dropFirst()
            #expect(try MasterFileStrings.parse("\\\(digits)") == [[byte]])
        }
    }

    @Test(
        arguments: [
            ("", "it is empty"), ("  ", "it is empty"), (#""a"#, "a quote is not closed"),
            (#"a\"#, "it ends with a backslash"),
            (#"\25"#, "not a byte"), (#"\256"#, "not a byte"), (#"\2a5"#, "not a byte"), (#"\2"#, "not a byte"),
        ])
    func whatIsNotAStringIsExplained(text: String, reason: String) {
        let error = #expect(throws: InputError.self) { () throws in try MasterFileStrings.parse(text) }
        #expect(error?.message.hasPrefix("'\(text)' is not a TXT record: ") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func aPasswordWhereATextIsCutIsBlanked() {
        for count in 100..<120 {
            let text = String(repeating: "x", count: count) + " bob:s3cret@h.test \\"
            let error = #expect(throws: InputError.self) { () throws in try MasterFileStrings.parse(text) }
            #expect(error?.message.contains("s3c") == false, "\(error?.message ?? "")")
        }
    }

    @Test func aStringHas255BytesAtMost() throws {
        let longest = String(repeating: "a", count: 255)
        #expect(try MasterFileStrings.parse(longest).map(\.count) == [255])
        let error = #expect(throws: InputError.self) { () throws in try MasterFileStrings.parse(longest + "a") }
        #expect(error?.message.hasSuffix("a string has 256 bytes, of at most 255") == true)
    }
}
