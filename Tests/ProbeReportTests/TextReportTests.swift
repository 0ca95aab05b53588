import ProbeKit
import ProbeRun
import Testing

@testable import ProbeReport

/// The text of verdicts: as short as a screen, and complete when that is asked for.
@Suite struct TextReportTests {
    /// Sixteen backends, and a finding of each in other words.
    @Test func manyBackendsAreFolded() throws {
        let results = (0..<16).map { index in
            GivenResult.of(
                "stack\(index)",
                [
                    .error(
                        .trustFailed, code: "expired", stage: .trust, "it ended, says stack \(index), long ago",
                        fix: "renew the certificate")
                ])
        }
        let text = TextReport(columns: 80).text(results)
        let lines = text.split(separator: "\n")
        #expect(lines.count <= TextReport.limit && lines.allSatisfy { $0.count <= 80 }, "\(text)")
        #expect(text.contains("stack15") && text.contains("fix: renew the certificate"), "\(text)")
        #expect(text.contains("left out: "), "\(text)")
        let verbose = TextReport(isVerbose: true).text(results)
        #expect((0..<16).allSatisfy { verbose.contains("says stack \($0), ") }, "\(verbose)")
    }

    /// However long a message is, the fix stays whole.
    @Test func aLongMessageIsCutAndItsFixIsNot() throws {
        let message = String(repeating: "very long words about a chain ", count: 60)
        let fix = String(repeating: "change this and then that ", count: 9) + "END"
        let result = GivenResult.of(
            "one", [.error(.trustFailed, code: "expired", stage: .trust, message, fix: Fix(fix))])
        let lines = TextReport(columns: 80).text([result]).split(separator: "\n")
        #expect(lines.count <= TextReport.limit, "\(lines)")
        #expect(lines.allSatisfy { $0.count <= 80 } && lines.count { $0.hasSuffix("…") } == 1, "\(lines)")
        #expect(lines.contains { $0.hasSuffix("END") } && lines.last?.contains("left out: ") == true)
    }

    /// Addresses of a name, and stacks with different offers, may be shown different certificates.
    @Test func everyChainIsShownWithItsWitness() {
        let failure = Finding.error(.trustFailed, code: "expired", stage: .trust, "it ended", fix: "renew it")
        let results = [("one", 19), ("two", 19), ("three", 89)].map { name, days in
            GivenResult.of(name, [failure], leaf: GivenLeaf(days: days))
        }
        let text = TextReport(isVerbose: true).text(results)
        let heads = text.split(separator: "\n").filter { $0.contains("evidence: ") }.map { $0.drop { $0 == " " } }
        #expect(heads == ["evidence: the chain as one saw it", "evidence: the chain as three saw it"], "\(text)")
        #expect(text.contains("leaf of 19 days") && text.contains("leaf of 89 days"), "\(text)")
    }

    @Test("the hint at the rest is in the program's own words") func hints() {
        let notes = (0..<9).map { Finding.note("seen", stage: .tls, "it was \($0)") }
        let failure = Finding.error(.trustFailed, code: "expired", stage: .trust, "it ended", fix: "renew it")
        let result = GivenResult.of("one", [failure] + notes)
        #expect(TextReport().text([result]).hasSuffix("\n    left out: 9 notes"))
        #expect(TextReport(hint: "ask me for").text([result]).hasSuffix("\n    ask me for 9 notes"))
        #expect(!TextReport(isVerbose: true, hint: "ask me for").text([result]).contains("ask me for"))
    }

    /// A stack's own code at the end makes no other words of a message.
    @Test func nativeCodesAreNotOtherWords() throws {
        let messages = ["too late", "too late (CURLE_OPERATION_TIMEDOUT)", "too late (error:0A)", "refused (1)"]
        let results = messages.map { message in
            GivenResult.of(message, [.error(.unreachable, stage: .connect, message, fix: "wait")])
        }
        let group = try #require(FindingGroup.groups(results).first)
        #expect(FindingGroup.groups(results).count == 1)
        #expect(group.wordings.map(\.message) == ["too late", "refused (1)"])
        #expect(group.backends.count == 4)
    }

    @Test func severalFailuresAreAllShown() throws {
        let findings = (0..<9).map {
            Finding.error(.trustFailed, code: "code-\($0)", stage: .trust, "message \($0)", fix: "fix \($0)")
        }
        let text = TextReport(columns: 80).text([GivenResult.of("one", findings)])
        for index in 0..<9 { #expect(text.contains("message \(index)") && text.contains("fix: fix \(index)")) }
    }

    /// Quotes, backslashes and bytes that are not text, in the escapes of zone files (RFC 1035 section 5.1).
    @Test("[R22] a record's strings are shown quoted, as dig prints them") func quotedStrings() throws {
        let name = try DNSName("models.test")
        let strings: [[UInt8]] = [Array("dc,\"florida\"".utf8), Array("a\\b".utf8) + [255], []]
        let list = ModelList(records: [TXTRecord(owner: name, ttl: 60, strings: strings)])
        let evidence = ModelEvidence(
            resolver: BackendIdentity(name: "ldns", library: "ldns", version: "0"), model: nil,
            answers: [
                .init(host: name, report: DNSReport(attempts: []), reading: .listed(list), duration: .zero)
            ], missing: [])
        let result = ProbeResult(
            subject: "models.test", service: nil, evidence: Evidence(connection: nil, model: evidence),
            verdict: Verdict([]))
        let lines = TextReport().text([result]).split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix(#" TXT "dc,\"florida\"" "a\\b\255" """#) }, "\(lines)")
    }
}
