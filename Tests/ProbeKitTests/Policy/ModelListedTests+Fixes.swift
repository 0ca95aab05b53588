import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeRun
import Testing

/// Each doubt names the change that removes it: of the zone, of the way to the answer, or of what is asked.
extension ModelListedTests {
    private static let doubts: [(DNSDoubt, String)] = [
        (.unusable(ReplyFault(.stackNotAsked, "x")), "ask through another resolver"),
        (.unusable(ReplyFault(.malformed, "x")), "ask again, or "),
        (.unusable(ReplyFault(.serverFailure, "x")), "ask again, or "),
        (.unusable(ReplyFault(.insecure, "x")), "sign the zone, and publish its DS record in the zone above; "),
        (.unusable(ReplyFault(.bogus, "x")), "sign the zone again, or correct the trust anchor"),
        (.unusable(ReplyFault(.aliasLoop, "x")), "publish one CNAME record that leads straight from models.test"),
        (.unanswered(DNSFailure(.badQuery, "x")), "correct what is asked, or of whom"),
        (.unanswered(DNSFailure(.badQuery, "x", cause: .unaskedName)), "ask through another resolver"),
        (.unanswered(DNSFailure(.localOverload, "x")), "give this process more processor time, and ask again"),
        (.unanswered(DNSFailure(.timeout, "x")), "ask again, or "),
        (.unanswered(DNSFailure(.closed, "x")), "ask again, or "),
        (.unanswered(DNSFailure(.http, "x")), "check the port of the DNS server's URL"),
        (.unanswered(DNSFailure(.httpContent, "x")), "check the path of the DNS server's URL"),
    ]

    @Test(arguments: doubts) func aDoubtHasItsFix(doubt: DNSDoubt, fix: String) throws {
        let finding = try #require(try findings(.indeterminate(doubt)).first)
        #expect(finding.severity == .error)
        #expect(finding.fix.hasPrefix(fix), "\(finding.fix)")
    }

    /// The path of a URL is at fault only where the server does not know it.
    @Test(
        arguments: [
            (nil, "check the DNS server's URL"), (302, "give the URL that the DNS server redirects to"),
            (301, "give the URL"), (303, "give the URL"), (307, "give the URL"), (308, "give the URL"),
            (300, "check the DNS server's URL"), (304, "check the DNS server's URL"),
            (400, "check the DNS server's URL"), (401, "have the DNS server's operator admit this client"),
            (403, "have the DNS server's operator admit this client"), (404, "check the path of the DNS server's URL"),
            (405, "check the path of the DNS server's URL"), (429, "ask less often"), (500, "ask later"),
            (503, "ask later"),
        ] as [(Int?, String)])
    func aStatusHasItsFix(status: Int?, fix: String) throws {
        let failure = DNSFailure(.httpStatus, "x", cause: status.map(DNSFailure.Cause.status))
        let finding = try #require(try findings(.indeterminate(.unanswered(failure))).first)
        #expect(finding.fix.hasPrefix(fix), "\(finding.fix)")
    }

    /// A CA that is added does not renew a certificate.
    @Test(arguments: TrustCause.allCases) func aCertificateHasItsFix(cause: TrustCause) throws {
        let failure = DNSFailure(.tls, "x", cause: .certificate(cause))
        let finding = try #require(try findings(.indeterminate(.unanswered(failure))).first)
        #expect(
            finding.remedy.steps.contains(.trustServer) == [.unknownIssuer, .selfSigned, .other].contains(cause),
            "\(finding.fix)")
        #expect(finding.fix.contains("renew") == (cause == .expired), "\(finding.fix)")
        #expect(finding.fix.contains("clock") == (cause == .notYetValid), "\(finding.fix)")
    }

    /// In place of a zone's own name server no other one can be asked, and asking again changes nothing.
    @Test(arguments: [
        DNSDoubt.unusable(ReplyFault(.refused, "x")), .unusable(ReplyFault(.referral, "x")),
        .unusable(ReplyFault(.noProof, "x")), .unanswered(DNSFailure(.timeout, "x")),
        .unanswered(DNSFailure(.refused, "x")),
    ])
    func aNameServerIsNotReplaced(doubt: DNSDoubt) throws {
        let finding = try #require(try findings(.indeterminate(doubt), asksNameServer: true).first)
        #expect(
            finding.fix.hasPrefix("serve the zone on it, or take it out of the zone's name servers"), "\(finding.fix)")
    }

    /// This machine's routes, and addresses that nobody published, are not the zone's to serve.
    @Test(
        arguments: [
            (nil, "ask from a machine that has a route"), (.noAddress, "publish an address of the name server"),
        ] as [(DNSFailure.Cause?, String)])
    func aNameServerOutOfReachHasItsFix(cause: DNSFailure.Cause?, fix: String) throws {
        let doubt = DNSDoubt.unanswered(DNSFailure(.unreachable, "x", cause: cause))
        let finding = try #require(try findings(.indeterminate(doubt), asksNameServer: true).first)
        #expect(finding.fix.hasPrefix(fix), "\(finding.fix)")
    }

    /// An alias out of the zone is all that its name server has.
    @Test(arguments: [true, false]) func anAliasOutOfTheZoneIsNamed(asksNameServer: Bool) throws {
        let message = LabDNSMessage(answers: [.cname(try DNSName("list.other"))])
        let finding = try #require(try result(message, asksNameServer: asksNameServer).verdict.findings.first)
        #expect(finding.code == "absence-unproven")
        let fix = asksNameServer ? "ask about list.other: the alias models.test leads there" : "ask again, or "
        #expect(finding.fix.hasPrefix(fix), "\(finding.fix)")
    }

    /// The zone is at fault, by the server's own report.
    @Test(arguments: [(UInt16(6), true), (7, true), (22, false)]) func aZoneThatItsServerRefusesIsNamed(
        code: UInt16, isBogus: Bool
    ) throws {
        let message = LabDNSMessage(responseCode: .serverFailure)
            .with { $0.options = .records([.opt(extendedError: code, text: "")]) }
        let finding = try #require(try result(message).verdict.findings.first)
        #expect(finding.code == "server-failure")
        #expect(finding.fix.hasPrefix(isBogus ? "sign the zone again" : "ask again, or "), "\(finding.fix)")
    }
}
