import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeReport
import ProbeRun
import Testing

@Suite struct ModelListedTests {
    func result(
        _ message: LabDNSMessage, model: String? = "florida", strings: TXTStrings = .joined,
        asksNameServer: Bool = false
    ) throws -> ProbeResult {
        let reply = try LabReply.bytes(message)
        let name = try LabReply.name()
        let texts = message.answers.filter { $0.type == 16 }.map(\.data)
        let attempt = DNSAttempt(
            server: "127.0.0.1:5353", channel: .udp, ednsSize: 1232, id: LabReply.id, reply: reply,
            native: .parsed(rcode: message.responseCode, records: texts.map { [Array($0.dropFirst())] }),
            failure: nil, duration: .zero)
        let check = ModelCheck(model: try model.map { try ModelName($0) }, hosts: [name], servers: [], strings: strings)
        let report = DNSReport(attempts: [attempt])
        let reading = ModelReading(report, name: name, model: check.model, strings: strings)
        let answer = ModelEvidence.Answer(host: name, report: report, reading: reading, duration: .zero)
        let evidence = Evidence(
            connection: nil,
            model: ModelEvidence(
                resolver: BackendIdentity(name: "lab", library: "lab", version: "0"), model: check.model,
                answers: [answer], missing: []))
        return ProbeResult(
            subject: "\(name)", evidence: evidence,
            verdict: Verdict(
                ModelListed(check.model, announcements: [], asksNameServer: asksNameServer)
                    .judge(evidence, at: .distantPast)))
    }

    @Test func aPassNamesTheServerThatAnswered() throws {
        let passed = try result(LabDNSMessage(answers: [.txt("dc,florida")]))
        #expect(passed.verdict.outcome == .pass)
        #expect(passed.verdict.findings.first?.message.contains("as 127.0.0.1:5353 answers") == true)
    }

    @Test func aDoubtNamesTheServersThatWereAsked() throws {
        let refused = try result(LabDNSMessage(responseCode: .refused))
        #expect(refused.verdict.outcome == .dnsIndeterminate)
        #expect(refused.verdict.findings.first?.message.hasSuffix("(asked: 127.0.0.1:5353)") == true, "\(refused)")
    }

    /// A query that could not be made went to nobody.
    @Test func aServerToWhichNothingWasSentWasNotAsked() throws {
        func attempt(_ server: String, _ code: DNSFailure.Code) -> DNSAttempt {
            DNSAttempt(
                server: server, channel: .udp, ednsSize: nil, id: 0, reply: nil, native: nil,
                failure: DNSFailure(code, "x"), duration: .zero)
        }
        let answer = ModelEvidence.Answer(
            host: try LabReply.name(),
            report: DNSReport(attempts: [attempt("192.0.2.1:53", .timeout), attempt("192.0.2.2:53", .badQuery)]),
            reading: .indeterminate(.unanswered(DNSFailure(.badQuery, "x"))), duration: .zero)
        #expect(answer.asked == ["192.0.2.1:53"])
    }

    @Test(
        arguments: [
            (["dc,florida", "tampa"], "florida", TXTStrings.joined, Outcome.passWithWarnings, "txt-records-differ"),
            (["tampa", "dc,florida"], "florida", .separate, .modelNotListed, "model-not-in-every-record"),
            (["dc,florida", "florida"], "florida", .separate, .pass, "model-listed"),
            (["dc", "tampa"], "florida", .separate, .modelNotListed, "model-not-listed"),
            (["dc,florida", "tampa"], nil, .separate, .passWithWarnings, "txt-records-differ"),
            (["dc,florida", "florida,dc"], nil, .joined, .pass, "list-published"),
        ] as [([String], String?, TXTStrings, Outcome, String)])
    func recordsThatDifferAreReported(
        texts: [String], model: String?, strings: TXTStrings, outcome: Outcome, code: String
    ) throws {
        let verdict = try result(LabDNSMessage(answers: texts.map { .txt($0) }), model: model, strings: strings).verdict
        #expect(verdict.outcome == outcome, "\(verdict)")
        #expect(verdict.findings.contains { $0.code == code }, "\(verdict)")
    }

    @Test(arguments: [(UInt16(3), true), (19, true), (2, false), (24, false)])
    func aStaleListIsAWarning(code: UInt16, isStale: Bool) throws {
        let options = LabDNSRecord.opt(extendedError: code, text: "upstream is down")
        let message = LabDNSMessage(answers: [.txt("dc,florida")]).with { $0.options = .records([options]) }
        let verdict = try result(message).verdict
        let finding = verdict.findings.first { $0.code == "stale-answer" }
        #expect((finding != nil) == isStale)
        #expect(verdict.outcome == (isStale ? .passWithWarnings : .pass))
        if isStale {
            #expect(finding?.message.contains("127.0.0.1:5353") == true)
            #expect(finding?.message.contains("upstream is down") == true)
        }
    }

    @Test func theReasonOfAFailureIsReported() throws {
        let options = LabDNSRecord.opt(extendedError: 22, text: "all \u{1b}[2Jservers")
        let message = LabDNSMessage(responseCode: .serverFailure).with { $0.options = .records([options]) }
        let finding = try #require(try result(message).verdict.findings.first)
        #expect(finding.code == "server-failure")
        #expect(
            finding.message.contains("extended error 22 (No Reachable Authority): all \\u{1b}[2Jservers"), "\(finding)")
    }

    /// The reply's other content is in the evidence.
    @Test func theReplyIsEvidence() throws {
        let target = try DNSName("list.test")
        let message = LabDNSMessage(answers: [
            .cname(target).with { $0.ttl = 7 }, .txt("dc,florida", owner: target).with { $0.ttl = 42 },
        ]).with {
            $0.isAuthenticated = true
            $0.options = .records([.opt(extendedError: 3, text: "old")])
        }
        let line = try JSONEncoder().encode(ReportLine(try result(message)))
        let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        let evidence = try #require(object["evidence"] as? [String: Any])
        let dns = try #require((evidence["dns"] as? [[String: Any]])?.first)
        #expect(dns["responseCode"] as? String == "NOERROR" && dns["ttl"] as? Int == 42)
        #expect(dns["flags"] as? [String] == ["aa", "rd", "ad"])
        #expect(dns["answered"] as? Bool == true && dns["server"] as? String == "127.0.0.1:5353")
        let alias = try #require((dns["aliases"] as? [[String: Any]])?.first)
        #expect(alias["type"] as? String == "CNAME" && alias["ttl"] as? Int == 7)
        #expect(alias["owner"] as? String == "models.test" && alias["target"] as? String == "list.test")
        let error = try #require((dns["extendedErrors"] as? [[String: Any]])?.first)
        #expect(error["code"] as? Int == 3 && error["name"] as? String == "Stale Answer")
        #expect(error["text"] as? String == "old")
    }

    func findings(
        _ reading: ModelReading?, model text: String? = "florida", missing: Set<ResolverCapability> = [],
        remembered: Date? = nil, at instant: Date = .distantPast, asksNameServer: Bool = false
    ) throws -> [Finding] {
        let (name, model) = (try LabReply.name(), try text.map { try ModelName($0) })
        let answers = reading.map {
            [ModelEvidence.Answer(host: name, report: DNSReport(attempts: []), reading: $0, duration: .zero)]
        }
        let evidence = ModelEvidence(
            resolver: BackendIdentity(name: "lab", library: "lab", version: "0"), model: model, answers: answers ?? [],
            missing: missing, remembered: remembered)
        return ModelListed(model, announcements: [], asksNameServer: asksNameServer)
            .judge(Evidence(connection: nil, model: evidence), at: instant)
    }

    /// Whatever was not read is an error: a list that nobody looked at must not count as one with the model.
    @Test func whatWasNotReadIsAnError() throws {
        let none = ModelListed(try ModelName("florida")).judge(Evidence(connection: nil, model: nil), at: .distantPast)
        #expect(none.map(\.code) == ["model-unread"] && Verdict(none).outcome == .internalError)
        #expect(try findings(nil).map(\.code) == ["model-unread"])
        let unable = try findings(nil, missing: [.ednsSize, .chosenServers])
        #expect(Verdict(unable).outcome == .unsupported)
        #expect(unable.map(\.message) == ["lab can't do chosen-servers, edns-size, so nothing was asked"])
        let disagreement = try findings(.readingsDisagree("two ways"))
        #expect(disagreement.map(\.code) == ["txt-readings-disagree"])
        #expect(Verdict(disagreement).outcome == .readingsDisagree)
    }

    /// A list that no build is on is published, and refuses all of them.
    @Test(
        arguments: [
            ([""], TXTStrings.joined, ["list-published", "list-empty"]),
            ([" , ,, "], .joined, ["list-published", "list-empty"]),
            (["", "dc"], .separate, ["list-published", "list-empty", "txt-strings-differ"]),
        ] as [([String], TXTStrings, [String])])
    func anEmptyListIsAWarning(texts: [String], strings: TXTStrings, codes: [String]) throws {
        let record = TXTRecord(owner: try LabReply.name(), ttl: 1, strings: texts.map { Array($0.utf8) })
        let list = ModelList(records: [record], strings: strings)
        let reading = ModelReading(list, model: nil)
        #expect(reading.outcome == .passWithWarnings)
        let shown = Verdict(try findings(reading, model: nil))
        #expect(shown.outcome == .passWithWarnings && shown.findings.map(\.code) == codes, "\(shown)")
        // To a build that asks for its model it is as final as any other list without it.
        let asked = Verdict(try findings(ModelReading(list, model: try ModelName("florida"))))
        #expect(asked.outcome == .modelNotListed && !asked.findings.map(\.code).contains("list-empty"), "\(asked)")
    }

    /// The model is in the record, so that adding it would change nothing.
    @Test(
        arguments: [
            (["dc,", "", "florida"], TXTStrings.separate, "taken one by one: dc; with them joined, it is"),
            (["dc", "florida"], .joined, "joined: dcflorida; with them taken one by one, it is"),
        ])
    func aModelInTheOtherReadingIsThere(texts: [String], strings: TXTStrings, words: String) throws {
        let record = TXTRecord(owner: try LabReply.name(), ttl: 1, strings: texts.map { Array($0.utf8) })
        let list = ModelList(records: [record], strings: strings)
        let found = try findings(ModelReading(list, model: try ModelName("florida")))
        #expect(found.map(\.code) == ["model-not-listed", "txt-strings-differ"])
        #expect(found.first?.message.hasSuffix("with its strings \(words)") == true, "\(found)")
        #expect(Set(found.map(\.fix)).count == 1, "\(found)")
    }

    @Test func whatIsAbsentIsNamed() throws {
        let noName = try #require(try findings(.absent(.nameError)).first)
        #expect(noName.code == "name-error" && noName.message == "models.test does not exist")
        let noData = try #require(try findings(.absent(.noData)).first)
        #expect(noData.code == "no-data" && noData.message == "models.test has no TXT record")
    }

    /// Behind an alias: a TXT record beside a CNAME record would be wrong.
    @Test(arguments: [(DNSAttempt.ResponseCode.nameError, "does not exist"), (.noError, "has no TXT record")])
    func whatAnAliasLeadsToIsNamed(code: DNSAttempt.ResponseCode, lack: String) throws {
        let target = try DNSName("list.test")
        let message = LabDNSMessage(
            answers: [.cname(target)], authorities: [.soa(zone: try DNSName("test"))], responseCode: code)
        let finding = try #require(try result(message).verdict.findings.first)
        #expect(finding.outcome == .modelAbsent)
        #expect(finding.message == "models.test is an alias of list.test, which \(lack)")
        #expect(finding.fix.hasPrefix("publish the list as a TXT record of list.test, or point the alias models.test"))
    }

    /// The names before the one that decides are reported with the reason.
    @Test func theNamesThatDoNotDecideAreReported() throws {
        func answer(_ host: String, _ reading: ModelReading) throws -> ModelEvidence.Answer {
            ModelEvidence.Answer(
                host: try DNSName(host), report: DNSReport(attempts: []), reading: reading, duration: .zero)
        }
        let model = try ModelName("florida")
        func notes(_ answers: [ModelEvidence.Answer]) -> [String] {
            let evidence = ModelEvidence(
                resolver: BackendIdentity(name: "lab", library: "lab", version: "0"), model: model, answers: answers,
                missing: [])
            return ModelListed(model).judge(Evidence(connection: nil, model: evidence), at: .distantPast)
                .filter { $0.code == "model-alternate-used" }.map(\.message)
        }
        let (gone, empty) = (try answer("a.test", .absent(.nameError)), try answer("b.test", .absent(.noData)))
        let silent = try answer("c.test", .indeterminate(.unanswered(DNSFailure(.timeout, "x"))))
        let last = try answer("d.test", .notListed(ModelList(records: [])))
        #expect(
            notes([gone, empty, silent, last]) == [
                "d.test stands in: a.test does not exist, b.test has no TXT record, c.test gives no answer (timeout)"
            ])
        #expect(notes([last]).isEmpty && notes([gone, silent]).isEmpty && notes([gone, empty]).isEmpty)
    }

    @Test func aMemoryHasItsAge() throws {
        let last = Date(timeIntervalSince1970: 1_000)
        for (instant, age) in [(1_000.0, 0), (1_042, 42), (900, 0)] {
            let finding = try #require(
                try findings(nil, remembered: last, at: Date(timeIntervalSince1970: instant)).first)
            #expect(finding.code == "model-cached" && finding.message.contains(", \(age) s ago"), "\(finding)")
        }
    }

    @Test(arguments: [(20, ""), (21, ",… (21 in all)")])
    func aLongListIsShortened(count: Int, end: String) throws {
        let items = (1...count).map { "m\($0)" }
        let passed = try result(LabDNSMessage(answers: [.txt(items.joined(separator: ","))]), model: "florida")
        let message = try #require(passed.verdict.findings.first?.message)
        #expect(message.hasSuffix(": " + items.prefix(20).joined(separator: ",") + end), "\(message)")
    }
}
