import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

/// The way from a name over its records to the servers of a service.
@Suite(.bounded) struct FollowingTests {
    private static let root = DNSName(labels: [])
    private static let (four, six) = (IPAddress.loopback4, IPAddress.loopback6)

    /// Follows a target through a server with these records; every other name has none.
    private func follow(
        _ target: String, alpn: [String] = [], _ records: [String: [LabDNSRecord]],
        responseCode: DNSAttempt.ResponseCode = .noError
    ) async throws -> Following.Course {
        var zone: [DNSName: LabDNSBehaviour] = [:]
        for (name, answers) in records { zone[try DNSName(name)] = .reply(LabDNSMessage(answers: answers)) }
        let behaviour = LabDNSBehaviour.reply(LabDNSMessage(responseCode: responseCode))
        return try await LabDNSServer.run(LabDNSZone(zone, otherwise: behaviour)) { server in
            await Following(RecordLookup(at: [server.endpoint]), alpn: alpn)
                .follow(try Target(target), by: .after(.seconds(1800)))
        }
    }

    /// Each target's name with the place that it dials; the failure's code where there is none.
    private func places(_ course: Following.Course) -> [String] {
        switch course.targets {
        case .success(let targets): targets.map { "\($0.name) \($0.connect.map { "\($0)" } ?? "not dialled")" }
        case .failure(let failure): [failure.code.rawValue]
        }
    }

    private func name(_ text: String) throws -> DNSName { text == "." ? try #require(Self.root) : try DNSName(text) }

    private func unused(_ course: Following.Course) -> [String?] { course.steps.flatMap { $0.records.map(\.unused) } }

    /// Whoever wrote an address beside a name means that address.
    @Test func aTargetThatStatesItsAddressIsItsOwnPlace() async throws {
        let place = Endpoint(host: .ip(Self.four), port: 28443)
        let target = Target(name: try ServerName("a.test"), port: 993, connect: place)
        let zone = LabDNSZone([:], otherwise: .reply(LabDNSMessage(answers: [.address(Self.six)])))
        try await LabDNSServer.run(zone) { server in
            let course = await Following(RecordLookup(at: [server.endpoint])).follow(target, by: .after(.seconds(1800)))
            #expect(places(course) == ["a.test 127.0.0.1:28443"] && course.steps.isEmpty, "\(course)")
        }
    }

    // MARK: SRV and MX

    @Test func serversGoByPriorityAndWeight() async throws {
        let address = LabDNSRecord.address(Self.four)
        let course = try await follow(
            "a.test:993",
            [
                "_imaps._tcp.a.test": [
                    .srv(20, 9, port: 3, try name("last.test")), .srv(10, 1, port: 2, try name("light.test")),
                    .srv(10, 5, port: 1, try name("heavy.test")), .srv(5, port: 9, try name("gone.test")),
                    .srv(1, port: 0, try name("heavy.test")),
                ],
                "last.test": [address], "light.test": [address], "heavy.test": [address, .address(Self.six)],
            ])
        #expect(
            places(course) == [
                "a.test 127.0.0.1:1", "a.test [::1]:1", "a.test 127.0.0.1:2", "a.test 127.0.0.1:3",
            ])
        #expect(try course.targets.get().allSatisfy(\.isAtOwnAddress))
        let shown = course.steps.map(\.description)
        #expect(
            shown == [
                "_imaps._tcp.a.test SRV 1 0 0 heavy.test (not used: port 0); 5 0 9 gone.test; 10 5 1 heavy.test; 10 1 2 light.test; 20 9 3 last.test"
            ])
    }

    @Test(arguments: [
        ("imap://a.test", "_imap._tcp.a.test"), ("pop3://a.test", "_pop3._tcp.a.test"),
        ("sieve://a.test", "_sieve._tcp.a.test"), ("ldap://a.test", "_ldap._tcp.a.test"),
        ("xmpp-client://a.test", "_xmpp-client._tcp.a.test"), ("xmpp-server://a.test", "_xmpp-server._tcp.a.test"),
        ("smtp://a.test:587", "_submission._tcp.a.test"), ("smtp://a.test", "a.test"), ("smtp://a.test:2525", "a.test"),
        ("a.test:465", "_submissions._tcp.a.test"), ("a.test:636", "_ldaps._tcp.a.test"),
        ("a.test:995", "_pop3s._tcp.a.test"), ("a.test:5223", "_xmpps-client._tcp.a.test"),
        ("a.test:5270", "_xmpps-server._tcp.a.test"), ("a.test", "a.test"), ("a.test:8443", "_8443._https.a.test"),
    ])
    func eachServiceHasItsRecords(target: String, asked: String) async throws {
        let course = try await follow(target, ["a.test": [.address(Self.four)]])
        #expect(course.steps.map(\.name) == [asked])
        // Without records the name itself is dialled.
        #expect(places(course) == ["a.test 127.0.0.1:\(try Target(target).port)"])
    }

    @Test(arguments: ["postgres://a.test", "lmtp://a.test", "192.0.2.1"])
    func othersHaveNone(target: String) async throws {
        let course = try await follow(target, [:])
        #expect(course.steps.isEmpty)
        #expect(try course.targets.get() == [try Target(target)])
    }

    @Test func theRootOffersNoService() async throws {
        let service = try await follow("imap://a.test", ["_imap._tcp.a.test": [.srv(0, port: 0, try name("."))]])
        #expect(places(service) == ["service-not-offered"] && unused(service) == ["no service"])
        let mail = try await follow("smtp://a.test", ["a.test": [.mx(0, try name(".")), .address(Self.four)]])
        #expect(places(mail) == ["service-not-offered"] && unused(mail) == ["no mail"])
        let web = try await follow("a.test", ["a.test": [.https(0, try name(".")), .address(Self.four)]])
        #expect(places(web) == ["service-not-offered"])
    }

    @Test func mailGoesToTheHostsOfTheDomain() async throws {
        let course = try await follow(
            "smtp://a.test:2525",
            [
                "a.test": [.mx(20, try name("b.mail.test")), .mx(10, try name("a.mail.test"))],
                "a.mail.test": [.address(Self.four)], "b.mail.test": [.address(Self.six)],
            ])
        #expect(places(course) == ["a.mail.test 127.0.0.1:2525", "b.mail.test [::1]:2525"])
        #expect(try course.targets.get().allSatisfy { $0.startTLS == .smtp && $0.port == 2525 })
    }

    /// A family that nothing dials is not asked for.
    @Test(arguments: [nil, IPAddress.Family.ipv4, .ipv6])
    func oneFamilyAloneIsAskedFor(family: IPAddress.Family?) async throws {
        let hints: [(key: UInt16, value: [UInt8])] = [(4, Self.four.bytes), (6, Self.six.bytes)]
        let zone: [DNSName: LabDNSBehaviour] = [
            try DNSName("a.test"): .reply(LabDNSMessage(answers: [.https(1, try name("b.test"), hints)]))
        ]
        try await LabDNSServer.run(LabDNSZone(zone, otherwise: .reply(LabDNSMessage()))) { server in
            let following = Following(RecordLookup(at: [server.endpoint]), family: family)
            let course = await following.follow(try Target("a.test"), by: .after(.seconds(1800)))
            let all = ["a.test 127.0.0.1:443", "a.test [::1]:443"]
            #expect(places(course) == (family.map { $0 == .ipv4 ? [all[0]] : [all[1]] } ?? all))
            let types = Set(server.queries.compactMap { (try? DNSMessage($0.bytes))?.question?.type })
            #expect(types.contains(1) == (family != .ipv6))
            #expect(types.contains(28) == (family != .ipv4))
        }
    }

    @Test func aServerWithoutTheFamilyIsNamed() async throws {
        let zone: [DNSName: LabDNSBehaviour] = [
            try DNSName("a.test"): .reply(LabDNSMessage(answers: [.address(Self.six)]))
        ]
        try await LabDNSServer.run(LabDNSZone(zone, otherwise: .reply(LabDNSMessage()))) { server in
            let following = Following(RecordLookup(at: [server.endpoint]), family: .ipv4)
            let course = await following.follow(try Target("a.test"), by: .after(.seconds(1800)))
            guard case .failure(let failure) = course.targets else {
                Issue.record("\(course.targets)")
                return
            }
            #expect(failure.code == .noAddressOfFamily && failure.message == "a.test has no IPv4 address")
        }
    }

    @Test func aNameThatDoesNotExistLacksMoreThanTheFamily() async throws {
        let zone = LabDNSZone([:], otherwise: .reply(LabDNSMessage(responseCode: .nameError)))
        try await LabDNSServer.run(zone) { server in
            let following = Following(RecordLookup(at: [server.endpoint]), family: .ipv4)
            let course = await following.follow(try Target("a.test"), by: .after(.seconds(1800)))
            guard case .failure(let failure) = course.targets else {
                Issue.record("\(course.targets)")
                return
            }
            #expect(failure.code == .nameNotFound)
        }
    }

    // MARK: HTTPS

    /// The parameters: mandatory, alpn, no-default-alpn, port, ipv4hint, ech, ipv6hint.
    private static func list(_ protocols: String...) -> [UInt8] {
        protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }

    @Test func bindingsNamePortsAndHints() async throws {
        let (h2, hint, hint6) = (Self.list("h2", "h3"), Self.four.bytes, Self.six.bytes)
        let parameters: [(key: UInt16, value: [UInt8])] = [
            (0, [0, 4]), (1, h2), (3, [0x21, 0]), (4, hint), (5, [1]), (6, hint6),
        ]
        let last = LabDNSRecord.https(2, try name("."), [(4, [192, 0, 2, 9])])
        let first = LabDNSRecord.https(1, try name("b.test"), parameters)
        let course = try await follow("a.test", ["a.test": [last, .address(Self.four), first]])
        // Hints are for a name without addresses, and the owner of a record with '.' has its own.
        #expect(places(course) == ["a.test 127.0.0.1:8448", "a.test [::1]:8448", "a.test 127.0.0.1:443"])
        #expect(
            course.steps.map(\.description) == [
                "a.test HTTPS 1 b.test port=8448 alpn=h2,h3 hints=127.0.0.1,::1 ech (not used); 2 . hints=192.0.2.9"
            ])
    }

    @Test func aliasesAreFollowed() async throws {
        let alias = [LabDNSRecord.https(0, try name("b.test")), LabDNSRecord.https(1, try name("d.test"))]
        let server = [LabDNSRecord.https(1, try name("."), [(3, [0, 9])]), LabDNSRecord.address(Self.four)]
        let course = try await follow(
            "a.test", ["a.test": alias, "b.test": [.cname(try name("c.test"))], "c.test": server])
        #expect(places(course) == ["a.test 127.0.0.1:9"])
        #expect(
            course.steps.map(\.description) == [
                "a.test HTTPS 0 b.test; 1 d.test (not used: an alias stands beside it)",
                "b.test → c.test HTTPS 1 . port=9",
            ])
        // An alias to a name without bindings is the place itself, at the target's port.
        let plain = try await follow(
            "a.test:8443",
            ["_8443._https.a.test": [.https(0, try name("b.test"))], "b.test": [.address(Self.four)]])
        #expect(places(plain) == ["a.test 127.0.0.1:8443"])
    }

    @Test func aliasesThatDoNotEndAreErrors() async throws {
        let circle = try await follow(
            "a.test", ["a.test": [.https(0, try name("b.test"))], "b.test": [.cname(try name("a.test"))]])
        #expect(places(circle) == ["records-unusable"])
        func chain(_ links: Int) throws -> [String: [LabDNSRecord]] {
            var records = [String: [LabDNSRecord]]()
            for link in 0..<links { records["a\(link).test"] = [.https(0, try name("a\(link + 1).test"))] }
            records["a\(links).test"] = [.address(Self.four)]
            return records
        }
        #expect(places(try await follow("a0.test", try chain(8))) == ["a0.test 127.0.0.1:443"])
        #expect(places(try await follow("a0.test", try chain(9))) == ["records-unusable"])
    }

    private struct Unusable: Sendable {
        let parameters: [(key: UInt16, value: [UInt8])]
        let reason: String
    }

    private static let unusable: [Unusable] = {
        func unusable(_ reason: String, _ parameters: (key: UInt16, value: [UInt8])...) -> Unusable {
            Unusable(parameters: parameters, reason: reason)
        }
        let malformed = "a record of the set is malformed"
        return [
            unusable("the mandatory parameter key65280 is not honoured here", (0, [0xff, 0]), (0xff00, [])),
            unusable("the mandatory parameter ech is not honoured here", (0, [0, 5]), (5, [1])),
            unusable("no protocol of h3 is spoken over TLS here", (1, list("h3")), (2, [])),
            unusable("port 0", (3, [0, 0])),
            unusable("\(malformed): a mandatory parameter is missing", (0, [0, 3])),
            unusable("\(malformed): no-default-alpn stands without alpn", (2, [])),
            unusable(malformed, (1, [9, 1])), unusable(malformed, (1, [])), unusable(malformed, (3, [1])),
            unusable(malformed, (4, [1])),
            unusable(malformed, (0, [0, 4, 0, 3]), (3, [0, 1]), (4, [1, 2, 3, 4])),
            unusable("\(malformed): key1 follows key3", (3, [0, 1]), (1, list("h2"))),
            unusable("\(malformed): key3 follows key3", (3, [0, 1]), (3, [0, 1])),
        ]
    }()

    /// The host itself is dialled where no binding can be used (RFC 9460 section 3).
    @Test(arguments: unusable.indices) func bindingsThatCanNotBeUsed(index: Int) async throws {
        let (parameters, reason) = (Self.unusable[index].parameters, Self.unusable[index].reason)
        let course = try await follow(
            "a.test:8443",
            ["_8443._https.a.test": [.https(1, try name("b.test"), parameters)], "a.test": [.address(Self.four)]])
        #expect(places(course) == ["a.test 127.0.0.1:8443"])
        #expect(unused(course).first??.hasPrefix(reason) == true, "\(course.steps)")
    }

    /// The data of a record that ends within its fields, beside one that could be used (RFC 9460 section 2.2), and the
    /// record as it is shown.
    @Test(
        arguments: [
            ([], "0 ?"), ([7], "7 ?"), ([0, 2], "2 ?"), ([0, 2, 4, 0x61], "2 ?"), ([0, 0, 0xc0], "0 ?"),
            ([0, 2, 0, 0], "2 ."), ([0, 2, 0, 0, 3, 0, 2, 1], "2 ."),
        ] as [([UInt8], String)])
    func aCutBindingSpoilsItsSet(data: [UInt8], shown: String) async throws {
        let records: [LabDNSRecord] = [.https(3, try name("b.test")), LabDNSRecord(type: 65, data: data)]
        let course = try await follow(
            "a.test:8443",
            ["_8443._https.a.test": records, "a.test": [.address(Self.four)], "b.test": [.address(Self.six)]])
        #expect(places(course) == ["a.test 127.0.0.1:8443"])
        let reason = "(not used: a record of the set is malformed: "
        let steps = try #require(course.steps.first?.records.map(\.description))
        #expect(steps.count == 2 && steps.contains { $0.hasPrefix("\(shown) \(reason)") }, "\(steps)")
        #expect(steps.contains { $0.hasPrefix("3 b.test \(reason)") }, "\(steps)")
    }

    /// An alias is not followed out of a set that is spoilt, but its own parameters do not count (RFC 9460 section 2.4.2).
    @Test func aliasesAndMalformedRecords() async throws {
        func follow(_ records: LabDNSRecord...) async throws -> Following.Course {
            try await self.follow(
                "a.test:8443",
                ["_8443._https.a.test": records, "a.test": [.address(Self.four)], "b.test": [.address(Self.six)]])
        }
        let alias = LabDNSRecord.https(0, try name("b.test"))
        let spoilt = try await follow(alias, LabDNSRecord(type: 65, data: [0]))
        #expect(places(spoilt) == ["a.test 127.0.0.1:8443"])
        #expect(unused(spoilt).allSatisfy { $0?.hasPrefix("a record of the set is malformed") == true })
        let odd = try await follow(.https(0, try name("b.test"), [(3, [0]), (1, [])]))
        #expect(places(odd) == ["a.test [::1]:8443"] && unused(odd) == [nil])
    }

    /// The default protocol is one of a binding's unless it says no; a client's own offer has to have one of them.
    @Test(arguments: [("h2", true, true), ("h2", false, true), ("http/1.1", true, false), ("http/1.1", false, true)])
    func protocolsHaveToMeet(offer: String, isExclusive: Bool, isUsed: Bool) async throws {
        var parameters: [(key: UInt16, value: [UInt8])] = [(1, Self.list("h2"))]
        if isExclusive { parameters.append((2, [])) }
        let course = try await follow(
            "a.test", alpn: [offer], ["a.test": [.https(1, try name("."), parameters), .address(Self.four)]])
        #expect(unused(course).map { $0 == nil } == [isUsed])
    }

    // MARK: Failures

    /// The records of a host that answers about its IPv4 address alone.
    private struct HalfRecords: RecordSource {
        func reply(
            _ type: UInt16, of name: DNSName, by deadline: Deadline
        ) async throws(DNSFailure) -> DNSMessage {
            guard type != 28 else { throw DNSFailure(.timeout, "it is silent") }
            let query = DNSQueryMessage.bytes(name: name, id: 7, ednsSize: nil, type: type)
            let answers = type == 1 ? [LabDNSRecord.address(FollowingTests.four)] : []
            guard let asked = LabDNSQuery(query, over: .tcp, from: 5300) else {
                throw DNSFailure(.badQuery, "the query does not parse")
            }
            do throws(ReplyFault) {
                return try DNSReply(LabDNSMessage(answers: answers).wireBytes(to: asked)).message.get()
            } catch {
                throw DNSFailure(.gaveUp, error.message)
            }
        }
    }

    @Test func oneFamilysFailureLeavesTheOther() async throws {
        let course = await Following(HalfRecords()).follow(try Target("a.test"), by: .after(.seconds(1800)))
        #expect(places(course) == ["a.test 127.0.0.1:443"])
    }

    /// FORMERR and NOTIMP without an OPT record (RFC 6891 section 7).
    @Test(arguments: [DNSAttempt.ResponseCode.formatError, .notImplemented])
    func aServerWithoutEDNSIsAskedWithoutIt(code: DNSAttempt.ResponseCode) async throws {
        let answer = LabDNSMessage(answers: [.address(Self.four)])
        let refusal = LabDNSMessage(responseCode: code).with { $0.options = .none }
        let behaviour = LabDNSBehaviour.reply(refusal).with { $0.withoutEDNS = [.reply(answer)] }
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            let course = await Following(RecordLookup(at: [server.endpoint]))
                .follow(try Target("a.test"), by: .after(.seconds(1800)))
            #expect(places(course) == ["a.test 127.0.0.1:443"])
            #expect(server.queries.map(\.ednsSize) == [1232, nil, 1232, nil, 1232, nil])
        }
    }

    /// A referral says nothing about the records of a name (RFC 1034 section 4.3.2).
    @Test(arguments: ["a.test", "smtp://a.test"])
    func aServerThatOnlyRefersToOthersLeadsToTheNext(text: String) async throws {
        let target = try Target(text)
        let referral = LabDNSMessage(authorities: [.ns(try DNSName("ns.test"), zone: try DNSName("test"))])
            .with { $0.isAuthoritative = false }
        let answer = LabDNSMessage(answers: [.address(Self.four)])
        try await LabDNSServer.run(LabDNSZone(.reply(referral))) { lame in
            try await LabDNSServer.run(LabDNSZone(.reply(answer))) { server in
                for (servers, expected) in [
                    ([lame, server], "a.test 127.0.0.1:\(target.port)"), ([lame], "name-lookup-failed"),
                    ([lame, lame], "name-lookup-failed"),
                ] {
                    let course = await Following(RecordLookup(at: servers.map(\.endpoint)))
                        .follow(target, by: .after(.seconds(1800)))
                    #expect(places(course) == [expected])
                    guard case .failure(let failure) = course.targets else { continue }
                    #expect(failure.message.hasSuffix("\(lame.endpoint) refers to other servers"), "\(failure)")
                    #expect(course.steps.isEmpty)
                }
            }
        }
    }

    /// An empty reply of a server that is not an authority and offers no recursion may say nothing either (RFC 1912 section
    /// 2.8).
    @Test func aServerThatDoesNotServeTheNameLeadsToTheNext() async throws {
        let empty = LabDNSMessage().with { $0.isAuthoritative = false }
        let answer = LabDNSMessage(answers: [.address(Self.four)])
        try await LabDNSServer.run(LabDNSZone(.reply(empty))) { lame in
            try await LabDNSServer.run(LabDNSZone(.reply(answer))) { server in
                let course = await Following(RecordLookup(at: [lame, server].map(\.endpoint)))
                    .follow(try Target("a.test"), by: .after(.seconds(1800)))
                #expect(places(course) == ["a.test 127.0.0.1:443"])
            }
        }
    }

    /// It counts if no other server answers: an answer without data may have no authority (RFC 2308 section 2.2, type 3), and
    /// stub resolvers send such ones.
    @Test(arguments: ["a.test", "smtp://a.test"], [true, false])
    func anEmptyReplyCountsWhereNoOtherServerAnswers(text: String, isAlone: Bool) async throws {
        let target = try Target(text)
        let empty = LabDNSMessage().with { $0.isAuthoritative = false }
        let answer = empty.with { $0.answers = [.address(Self.four)] }
        let behaviour = LabDNSBehaviour.reply(answer).with { $0.first = [.reply(empty)] }
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .refused)))) { refusing in
                let servers = isAlone ? [server] : [server, refusing]
                let course = await Following(RecordLookup(at: servers.map(\.endpoint)))
                    .follow(target, by: .after(.seconds(1800)))
                #expect(places(course) == ["a.test 127.0.0.1:\(target.port)"])
                #expect(refusing.queries.isEmpty == isAlone)
            }
        }
    }

    /// A malformed reply may be whole the next time; if it never is, its fault is the failure's.
    @Test func aMalformedReplyIsAskedForAgain() async throws {
        let answer = LabDNSMessage(answers: [.address(Self.four)])
        let damaged = LabDNSBehaviour.Action.reply(answer.with { $0.tail = [0] })
        let once = LabDNSBehaviour.reply(answer).with { $0.first = [damaged] }
        for (behaviour, isFound) in [(once, true), (LabDNSBehaviour([damaged]), false)] {
            try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
                let course = await Following(RecordLookup(at: [server.endpoint]))
                    .follow(try Target("a.test"), by: .after(.seconds(1800)))
                #expect(places(course) == [isFound ? "a.test 127.0.0.1:443" : "name-lookup-failed"])
                guard case .failure(let failure) = course.targets else { return }
                #expect(failure.message.contains("1 bytes follow the last record"), "\(failure)")
            }
        }
    }

    @Test func aServerThatFailsIsAnError() async throws {
        #expect(places(try await follow("a.test", [:], responseCode: .serverFailure)) == ["name-lookup-failed"])
        #expect(places(try await follow("a.test", [:])) == ["name-not-found"])
        #expect(places(try await follow("imap://a.test", [:], responseCode: .nameError)) == ["name-not-found"])
    }
}
