import ProbeKit
import ProbeLab
import ProbePlatform

extension DNSScenario {
    /// DNSSEC, validated by the resolver itself; asked only of those that can.
    static let signatures: [DNSScenario] = good + bad + unsigned + absent

    private static let zone = DNSName.lab("test")
    private static let last = DNSName.lab("zzz", "test")
    private static let wildcard = DNSName.lab("*", "test")
    private static let start = Date(timeIntervalSince1970: 1_780_000_000)
    private static let instant = start + 3600
    private static let signer = LabDNSSigner(zone: zone, validity: start...(start + 86_400))
    private static let list = signer.signed([.txt("dc,florida")], owner: name)

    /// Returns a server of the zone that answers with a message, and with the zone's key.
    private static func server(_ message: LabDNSMessage, with signer: LabDNSSigner = signer) -> Server {
        let key = LabDNSMessage(answers: signer.signed([signer.dnskey], owner: zone))
        return Server(LabDNSZone([name: .reply(message), zone: .reply(key)]))
    }

    /// Returns a promise under both policies, `prefer` and `require`.
    private static func validated(
        _ id: String, _ sentence: String, source: String = "RFC 4035 5", _ message: LabDNSMessage, _ expected: Outcome,
        code: String? = nil, anchor: DNSAnchor = signer.anchor, at instant: Date = instant
    ) -> [DNSScenario] {
        [DNSSECPolicy.prefer, .require].map { policy in
            DNSScenario(
                "dnssec/\(id)-\(policy.rawValue)", sentence, source: source, [server(message)], expected, code: code
            ).with {
                $0.dnssec = policy
                $0.anchors = [anchor]
                $0.instant = instant
            }
        }
    }

    private static let good: [DNSScenario] =
        validated("signed", "A signed list counts.", LabDNSMessage(answers: list), .pass)
        + validated(
            "signed-without-model", "So it does where the model is not on it.",
            LabDNSMessage(answers: signer.signed([.txt("dc"), .txt("houston")], owner: name)), .modelNotListed)
        + validated(
            "last-second", "A signature is valid in its last second.", source: "RFC 4034 3.1.5",
            LabDNSMessage(answers: list), .pass, at: start + 86_400)
        + validated(
            "wildcard", "A wildcard's list counts, with the proof that the name itself has none.",
            source: "RFC 4035 5.3.4",
            LabDNSMessage(
                answers: signer.signed([.txt("dc,florida")], owner: name, wildcard: wildcard),
                authorities: signer.denial(from: wildcard, to: last, types: [16])), .pass)

    private static func bogus(
        _ id: String, _ sentence: String, source: String = "RFC 4035 5", _ message: LabDNSMessage,
        anchor: DNSAnchor = signer.anchor, at instant: Date = instant
    ) -> [DNSScenario] {
        validated(
            id, sentence, source: source, message, .dnsIndeterminate, code: "dnssec-bogus", anchor: anchor, at: instant)
    }

    private static func tampered(_ text: String) -> LabDNSMessage {
        LabDNSMessage(answers: [.txt(text, owner: name)] + list.suffix(1))
    }

    private static let bad: [DNSScenario] =
        bogus("tampered-in", "A list that a forger has put the model on says nothing.", tampered("florida"))
        + bogus("tampered-off", "Nor does one that he has taken it off.", tampered("dc"))
        + bogus("stripped", "Nor does one whose signature is missing.", LabDNSMessage(answers: [.txt("dc,florida")]))
        + bogus(
            "expired", "An expired signature proves nothing.", source: "RFC 4034 3.1.5", LabDNSMessage(answers: list),
            at: start + 86_401)
        + bogus(
            "not-yet-valid", "Nor does one that is not valid yet.", source: "RFC 4034 3.1.5",
            LabDNSMessage(answers: list), at: start - 1)
        + bogus(
            "other-key", "The key has to be the anchor's.", LabDNSMessage(answers: list),
            anchor: LabDNSSigner(zone: zone, validity: start...instant).anchor)
        + bogus(
            "wildcard-unproven", "A wildcard's list without the proof says nothing.", source: "RFC 4035 5.3.4",
            LabDNSMessage(answers: signer.signed([.txt("dc,florida")], owner: name, wildcard: wildcard)))

    /// An anchor that does not cover the name.
    private static let elsewhere = LabDNSSigner(zone: .lab("example"), validity: start...instant).anchor
    private static let plain = LabDNSMessage(answers: [.txt("dc,florida")])

    private static func unsigned(
        _ id: String, _ sentence: String, source: String = "RFC 4033 5", _ message: LabDNSMessage,
        _ policy: DNSSECPolicy, _ expected: Outcome, code: String? = nil
    ) -> DNSScenario {
        DNSScenario(
            "dnssec/unsigned-\(id)", sentence, source: source, [server(message)], expected, code: code
        ).with {
            $0.dnssec = policy
            $0.anchors = policy == .off ? [] : [elsewhere]
            $0.instant = instant
        }
    }

    private static let unsigned: [DNSScenario] = [
        unsigned(
            "prefer", "Where no anchor covers the name, an unsigned list counts under prefer.", plain, .prefer, .pass),
        unsigned(
            "require", "Under require it says nothing.", plain, .require, .dnsIndeterminate, code: "dnssec-insecure"),
        unsigned(
            "require-absent", "Nor does an unsigned absence.",
            LabDNSMessage(authorities: [.soa(zone: zone)], responseCode: .nameError), .require, .dnsIndeterminate,
            code: "dnssec-insecure"),
        unsigned(
            "remote-ad", "What a server says of its own validation does not count.", source: "decided: own-validation",
            plain.with { $0.isAuthenticated = true }, .require, .dnsIndeterminate, code: "dnssec-insecure"),
        unsigned("off", "Without a policy signatures are not looked at.", tampered("dc,florida"), .off, .pass),
    ]

    private static let authority = signer.signed([.soa()], owner: zone)

    private static let absent: [DNSScenario] =
        validated(
            "nxdomain", "A proof that the name does not exist counts.", source: "RFC 4035 5.4",
            LabDNSMessage(
                authorities: authority + signer.denial(from: zone, to: last, types: [2, 6, 48]),
                responseCode: .nameError), .modelAbsent)
        + validated(
            "nodata", "So does one that it has no TXT record.", source: "RFC 4035 5.4",
            LabDNSMessage(authorities: authority + signer.denial(from: name, to: last, types: [1])),
            .modelAbsent)
        + bogus(
            "nxdomain-unproven", "Without the proof a name's absence says nothing.", source: "RFC 4035 5.4",
            LabDNSMessage(authorities: authority, responseCode: .nameError))
        + bogus(
            "nodata-denied", "A proof that the TXT record exists proves no absence.", source: "RFC 4035 5.4",
            LabDNSMessage(authorities: authority + signer.denial(from: name, to: last, types: [16])))
}
