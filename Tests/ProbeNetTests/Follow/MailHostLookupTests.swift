import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

/// The names at which a mail host's TLSA records are looked for, and those that its certificate may prove.
@Suite(.bounded) struct MailHostLookupTests {
    /// Records that DNSSEC proves below `test`, and nowhere else.
    private struct Names: RecordSource {
        var sets: [String: [LabDNSRecord]]
        /// The types and names whose questions fail, as in `TLSA a.test`.
        var failing: Set<String> = []

        func reply(
            _ type: UInt16, of name: DNSName, by deadline: Deadline
        ) async throws(DNSFailure) -> DNSMessage {
            try await proved(type, of: name, by: deadline).message
        }

        func proved(
            _ type: UInt16, of name: DNSName, by deadline: Deadline
        ) async throws(DNSFailure) -> (message: DNSMessage, isSecure: Bool) {
            guard !failing.contains("\(DNSType.name(type)) \(name)") else { throw DNSFailure(.gaveUp, "SERVFAIL") }
            let answers = (sets["\(name)"] ?? []).filter { $0.type == type || $0.type == DNSType.cname }
            let query = DNSQueryMessage.bytes(name: name, id: 7, ednsSize: nil, type: type)
            guard let asked = LabDNSQuery(query, over: .tcp, from: 5300) else {
                throw DNSFailure(.badQuery, "the query does not parse")
            }
            do throws(ReplyFault) {
                let message = try DNSReply(LabDNSMessage(answers: answers).wireBytes(to: asked)).message.get()
                return (message, "\(name)".hasSuffix("test"))
            } catch {
                throw DNSFailure(.gaveUp, error.message)
            }
        }
    }

    private static let key = LabDNSRecord(type: 52, data: [3, 1, 1] + [UInt8](repeating: 7, count: 32))
    private static let addresses: [LabDNSRecord] = [.address(.loopback4), .address(.loopback6)]

    private static func mx(_ host: String) throws -> [LabDNSRecord] { [.mx(10, try DNSName(host))] }
    private static func alias(_ target: String) throws -> [LabDNSRecord] { [.cname(try DNSName(target))] }

    private func host(of domain: String, _ names: Names, family: IPAddress.Family? = nil) async throws -> MailHost {
        let course = await Following(names, readsTLSA: true, family: family)
            .follow(try Target("smtp://\(domain)"), by: .after(.seconds(1800)))
        return try #require(course.mailHosts.values.first, "\(course)")
    }

    private func hasRecords(_ host: MailHost) -> Bool {
        if case .records = host.answer { true } else { false }
    }

    /// RFC 7672 section 3.2.2. What an MX record names as an alias is not proved, and neither is an alias on the way.
    @Test(arguments: [
        ("mail.test", ["mx.test", "mail.test"]), ("bare.test", ["mx.test", "bare.test"]),
        ("alias.test", ["mx.test", "alias.test", "mail.test"]), ("own.test", ["own.test"]),
    ])
    func theNamesOfACertificate(domain: String, expected: [String]) async throws {
        let names = Names(sets: [
            "mail.test": try Self.mx("named.test"), "named.test": try Self.alias("mx.test"),
            "bare.test": try Self.alias("mx.test"), "alias.test": try Self.alias("way.test"),
            "way.test": try Self.alias("mail.test"), "mx.test": Self.addresses, "_25._tcp.mx.test": [Self.key],
            "own.test": Self.addresses, "_25._tcp.own.test": [Self.key],
        ])
        let host = try await host(of: domain, names)
        #expect(host.names.map { "\($0)" } == expected)
        #expect(host.owner == "_25._tcp.\(expected[0])" && hasRecords(host), "\(host)")
    }

    /// Servers of unsigned zones may fail on questions about TLSA (RFC 7672 section 2.2.2).
    @Test(arguments: ["mx.example", "alias.example"])
    func aHostWithoutSignaturesIsNotAskedForRecords(name: String) async throws {
        let names = Names(
            sets: [
                "mail.test": try Self.mx(name), "alias.example": try Self.alias("mx.example"),
                "mx.example": Self.addresses,
            ], failing: ["TLSA _25._tcp.mx.example", "TLSA _25._tcp.alias.example"])
        let host = try await host(of: "mail.test", names)
        #expect(host.answer == .insecure("the addresses of \(name)"))
    }

    /// The alias itself is proved, whatever it leads to.
    @Test func aSignedAliasHasRecordsOfItsOwn() async throws {
        let sets = [
            "mail.test": try Self.mx("named.test"), "named.test": try Self.alias("mx.example"),
            "mx.example": Self.addresses, "_25._tcp.named.test": [Self.key],
        ]
        let host = try await host(of: "mail.test", Names(sets: sets, failing: ["TLSA _25._tcp.mx.example"]))
        #expect(host.owner == "_25._tcp.named.test" && hasRecords(host), "\(host)")
        let unknown = try await self.host(of: "mail.test", Names(sets: sets, failing: ["CNAME named.test"]))
        guard case .failed(let reason) = unknown.answer else {
            Issue.record("\(unknown)")
            return
        }
        #expect(reason.hasPrefix("no answer about the CNAME records of named.test: "))
    }

    /// A host is known by the family that is dialled; the failure of the other one does not count.
    @Test(
        arguments: [
            (nil, ["A"], true), (nil, ["AAAA"], true), (.ipv6, ["A"], true), (.ipv4, ["AAAA"], true),
            (nil, ["A", "AAAA"], false), (.ipv4, ["A"], false), (.ipv6, ["AAAA"], false),
        ] as [(IPAddress.Family?, [String], Bool)])
    func oneFamilyIsEnough(family: IPAddress.Family?, failing: [String], isKnown: Bool) async throws {
        let names = Names(
            sets: ["mail.test": try Self.mx("mx.test"), "mx.test": Self.addresses, "_25._tcp.mx.test": [Self.key]],
            failing: Set(failing.map { "\($0) mx.test" }))
        let host = try await host(of: "mail.test", names, family: family)
        switch host.answer {
        case .records: #expect(isKnown)
        case .failed: #expect(!isKnown)
        case .absent, .insecure: Issue.record("\(host)")
        }
    }
}
