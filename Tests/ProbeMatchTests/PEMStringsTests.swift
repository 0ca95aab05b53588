import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// Blocks of PEM within the strings of logs and programs are read, or reported.
@Suite(.bounded) struct PEMStringsTests {
    private let bench: MatchBench
    private let folder: MatchFolder
    /// The lines of the certificate with the first pin.
    private let lines: [String]

    init() throws {
        bench = try MatchBench(count: 6)
        folder = try MatchFolder()
        let base64 = Data(bench.certificates[3]).base64EncodedString(
            options: [.lineLength64Characters, .endLineWithLineFeed])
        lines =
            ["-----BEGIN CERTIFICATE-----"] + base64.split(separator: "\n").map(String.init)
            + ["-----END CERTIFICATE-----"]
    }

    private func search(_ text: String) async throws -> Searched {
        // Behind another block, so that it is the form of the file in any case.
        await Searched([try folder.write(bench.pem() + Array((text + "\n").utf8), "a")], [bench.pins[0]])
    }

    /// Each as a program writes it; the last one as .NET does in JSON, whose letters of a number are digits of base64 too.
    @Test("a block in a string is read", arguments: 0..<7) func strings(_ index: Int) async throws {
        let escaped = lines.joined(separator: #"\n"#)
        let text = [
            "CERT='\(lines.joined())'", "CERT=\"\(escaped)\\n\"", lines.joined(separator: #"\r\n"#),
            "2026-01-02 {\"cert\":\"\(escaped.replacing("/", with: #"\/"#))\"}",
            #"{"line":"{\"cert\":\"\#(lines.joined(separator: #"\\\\n"#))\"}"}"#,
            lines.map { "    \"\($0)\\n\"" }.joined(separator: "\n"),
            lines.joined(separator: #"\u000A"#).replacing("+", with: #"\u002B"#),
        ][index]
        let searched = try await search("log: \(text)")
        #expect(searched.tally?.matched == 2 && searched.tally?.certificates == 7, "\(text.prefix(80))")
        #expect(searched.unreadable.isEmpty && searched.error == nil)
    }

    @Test(
        "a string of JSON may have the base64 on the line of the mark, or line breaks escaped twice",
        arguments: ["", #"\n"#])
    func valuesOfJSON(_ lineBreak: String) async throws {
        let object = try JSONSerialization.data(withJSONObject: ["c": lines.joined(separator: lineBreak)])
        let searched = await Searched([try folder.write(Array(object), "a.json")], [bench.pins[0]])
        #expect(searched.tally?.matched == 1 && searched.found.first?.path == "c" && searched.unreadable.isEmpty)
    }

    @Test("base64 with something else in it is reported, as is a message", arguments: 0..<5)
    func undecodable(_ index: Int) async throws {
        let text = [
            lines.map { "\"\($0)\\n\"" }.joined(separator: " +\n"), lines.joined(separator: "<br>"),
            lines.joined(separator: "&#xA;"), lines.joined(separator: #"\n"#).replacing("CERTIFICATE", with: "PKCS7"),
            // Another block begins before the end of this one.
            lines.dropLast().joined(separator: #"\n"#) + "\n" + lines.joined(separator: "\n"),
        ][index]
        let searched = try await search(text)
        #expect(searched.unreadable.count == 1 && searched.error == nil, "\(text.prefix(80))")
        #expect(
            searched.unreadable.first?.line == String(decoding: bench.pem(), as: UTF8.self).split(separator: "\n").count
                + 1)
    }

    @Test("a block on one line that is cut short is a fault", arguments: [1, 12, 200]) func cut(_ count: Int)
        async throws
    {
        let text = lines[0] + lines[1...].joined().prefix(1 + count)
        let searched = await Searched([try folder.write(bench.pem() + Array(text.utf8), "a")], [bench.pins[0]])
        #expect(searched.tally?.matched == 1 && searched.error?.message.contains("cut short") == true, "\(searched)")
    }

    @Test(
        "a text that quotes the marks has no block in it",
        arguments: [
            "write `-----BEGIN CERTIFICATE-----` first\n", "'-----BEGIN CERTIFICATE-----', MIT licence, MINIMUM\n",
            "between -----BEGIN CERTIFICATE-----/-----END CERTIFICATE-----\n",
            #"grep -c "-----BEGIN CERTIFICATE-----\n" bundle"# + "\n",
        ])
    func prose(_ text: String) async throws {
        let searched = await Searched([try folder.write(Array(text.utf8) + bench.pem(), "a")], [bench.pins[0]])
        #expect(searched.tally?.matched == 1 && searched.tally?.certificates == 6)
        #expect(searched.unreadable.isEmpty && searched.error == nil, "\(searched)")
    }
}
