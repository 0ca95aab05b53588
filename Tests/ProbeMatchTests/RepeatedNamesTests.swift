import Foundation
import ProbeTestSupport
import Testing

@testable import ProbeMatch

/// An object of JSON may have members of one name, or of names that only their bytes tell apart: each is looked at.
@Suite(.bounded) struct RepeatedNamesTests {
    private static func batch(_ text: String, _ form: InputForm = .jsonLines) -> CertificateBatch {
        InputBlock(input: "", form: form, bytes: Array(text.utf8), line: 1, offset: 0, nextLine: 2).certificates
    }

    private static func found(_ batch: CertificateBatch) -> Set<[UInt8]> {
        Set(batch.certificates.map { Array(batch.bytes[$0]) })
    }

    @Test(
        "each member is searched, whichever comes first",
        arguments: [
            ("c", "c"), ("c", #"\u0063"#), ("\u{e9}", "e\u{301}"), ("e\u{301}", "\u{e9}"), ("", ""), (#"\""#, #"\""#),
            ("c (2)", "c (2)"), (#"a:{\"b"#, #"a:{\"b"#),
        ])
    func members(_ one: String, _ other: String) throws {
        let bench = try MatchBench(count: 2)
        let values = bench.certificates.map { Data($0).base64EncodedString() }
        for (first, second) in [(values[0], values[1]), (values[1], values[0])] {
            let object = #"{"n": [1, {"x": ":"}], "\#(one)" : "\#(first)", "\#(other)": "\#(second)", "z": {"a": 1}}"#
            for (text, form) in [(object, InputForm.jsonLines), ("[\(object),\n\(object)]", InputForm.json)] {
                let batch = Self.batch(text, form)
                #expect(batch.certificates.count == (form == .json ? 4 : 2) && batch.undecoded.isEmpty, "\(text)")
                #expect(Self.found(batch) == Set(bench.certificates), "\(text)")
            }
        }
    }

    @Test("a find's path shows which member it is in") func paths() throws {
        let bench = try MatchBench(count: 3)
        let members = bench.certificates.map { #""c":"\#(Data($0).base64EncodedString())""# }
        let batch = Self.batch(#"{"c (2)":0,\#(members.joined(separator: ","))}"#)
        #expect(batch.places.map(\.path) == ["c", "c (3)", "c (4)"])
    }

    @Test("values that belong together and are there twice are reported") func joined() {
        let digest = String(repeating: "ab", count: 32)
        for object in [
            #"{"certSHA256":"\#(digest)","certSHA256":"\#(digest)"}"#, #"{"leaf_input":"","leaf_input":""}"#,
        ] {
            #expect(!Self.batch(object).undecoded.isEmpty, "\(object)")
        }
        #expect(Self.batch(#"{"a":1,"a":2}"#).undecoded.isEmpty)
    }

    @Test("beside a log's entry, other values are searched") func besideEntries() throws {
        let bench = try MatchBench(count: 2)
        let entry = Data(bench.entries(pretty: false))
        let object = try #require(try JSONSerialization.jsonObject(with: entry) as? [String: [[String: Any]]])
        var first = try #require(object["entries"]?.first)
        first["issuer"] = Data(bench.certificates[1]).base64EncodedString()
        let text = try JSONSerialization.data(withJSONObject: first)
        #expect(Self.found(Self.batch(String(decoding: text, as: UTF8.self))) == Set(bench.certificates))
    }
}
