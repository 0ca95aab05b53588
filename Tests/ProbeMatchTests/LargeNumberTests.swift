import Foundation
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// Foundation refuses JSON with a number that no `Double` holds: the certificates beside one are found all the same.
@Suite(.bounded) struct LargeNumberTests {
    /// Numbers like the modulus of a key, as programs in Go write one, and others outside the range of `Double`.
    private static let numbers = [
        String(repeating: "7", count: 617), "-" + String(repeating: "9", count: 400), "1e999", "-1e999", "1.5E+400",
    ]

    private static func object(_ number: String, _ certificate: [UInt8]) -> String {
        #"{"PublicKey": {"N": \#(number), "E": 65537}, "text": "\" 1e999 \\", "#
            + #""raw": "\#(Data(certificate).base64EncodedString())"}"#
    }

    @Test("a certificate beside one is found", arguments: numbers)
    func found(_ number: String) async throws {
        let bench = try MatchBench(count: 4)
        let folder = try MatchFolder()
        let objects = bench.certificates.map { Self.object(number, $0) }
        let pretty = "[\n" + objects.map { $0.replacing(", \"", with: ",\n \"") }.joined(separator: ",\n") + "\n]\n"
        let texts = [
            "object.json": #"{"all": [\#(objects.joined(separator: ", "))]}"#,
            "lines.jsonl": objects.joined(separator: "\n") + "\n", "pretty.json": pretty,
        ]
        for (name, text) in texts {
            let searched = await Searched([try folder.write(Array(text.utf8), name)], bench.pins)
            #expect(searched.found.count == bench.expected.count, "\(name)")
            #expect(
                searched.tally?.certificates == 4 && searched.unreadable.isEmpty && searched.error == nil, "\(name)")
        }
    }

    @Test("only what is a number is replaced")
    func replaced() {
        for (text, zeroed) in [
            (#"{"1": -12.5e+3, "a\"2": [0, 1E9], "b": true}"#, #"{"1": 0, "a\"2": [0, 0], "b": true}"#),
            ("[01, 1., 1.2.3, -, 1e, --1, +1", "[01, 1., 1.2.3, -, 1e, --1, +0"), (#""1\"#, #""1\"#), ("12", "0"),
        ] {
            #expect(ZeroedNumbers(Array(text.utf8)[...]).text == Array(zeroed.utf8), "\(text)")
        }
    }

    @Test("a text that is malformed elsewhere is reported", arguments: ["1e999", "01", "1.", "1.2.3", "--1"])
    func malformed(_ number: String) {
        let block = InputBlock(
            input: "", form: .jsonLines, bytes: Array(#"{"a": \#(number), "b": }"#.utf8), line: 1, offset: 0,
            nextLine: 2)
        #expect(block.certificates.undecoded.count == 1)
    }
}
