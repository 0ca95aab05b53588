import Foundation
import ProbeExternal
import ProbeKit
import ProbeTestSupport
import Synchronization
import Testing

/// Programs' reports arrive unchanged, and impossible ones are rejected.
@Suite(.bounded) struct ProgramReplyTests {
    @Test func requestsAreUnderWayTogether() async throws {
        // It answers only when a hundred are there, the last one first.
        let program = try FakeProgram(
            """
            waiting = globals().setdefault('waiting', [])
            waiting.append(request)
            if len(waiting) == 100:
                for request in reversed(waiting): answer(request)
            continue
            """)
        let transport = try await program.transport()
        let failures = try await withThrowingTaskGroup(of: HandshakeFailure?.self) { group in
            for _ in 0..<100 { group.addTask { try await transport.ask() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await transport.stop()
        #expect(failures.count { $0?.code == .connectionRefused } == 100)
    }

    /// Reports that contradict themselves, or exceed the limits.
    @Test(arguments: [
        "{}",
        "{'chain': [], 'failure': None}",
        "{'chain': 'MAA='}",
        "{'failure': {'code': 'no-such-code', 'message': ''}}",
        "{'failure': {'code': 'connection-refused'}}",
        "{'chain': ['###'], 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'chain': ['MAA='] * 101, 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'chain': ['A' * (1 << 20)], 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'keys': [{'spki': 'MAA='}], 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'chain': ['MAA='], 'keys': [{}], 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'version': '1.4', 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'timings': {'connect': -1}, 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'trust': {'accepted': True, 'problems': [{'cause': 'expired', 'message': ''}]}, 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'trust': {'accepted': False, 'problems': []}, 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'trust': {'accepted': False, 'problems': [{'cause': 'bad-luck', 'message': ''}]}, 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'http': {'failure': 'nobody asked'}, 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'failure': {'code': 'alert-received', 'message': '', 'alert': 256}}",
        "{'failure': {'code': 'protocol-error', 'message': '', 'cause': 1}}",
        "{'address': '127.0.0.2:9', 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'address': 'good.test:9', 'failure': {'code': 'not-tls', 'message': ''}}",
        "{'address': 'junk', 'failure': {'code': 'not-tls', 'message': ''}}",
    ])
    func liesAreRefused(_ report: String) async throws {
        let program = try FakeProgram("answer(request, report=\(report))\ncontinue")
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect(failure?.code == .backendError)
        #expect(failure?.nativeCode == "program-garbled", "\(failure?.description ?? "no failure")")
    }

    /// A completed handshake has an address, and its SNI is the name that was asked for, or none where the library sends none.
    @Test(
        arguments: [
            ("", nil), ("sni=None", nil),
            ("address=None", "a handshake is complete without address"),
            (
                "address=None, failure={'code': 'connection-reset', 'message': '', 'afterHandshake': True}",
                "without address"
            ),
            ("sni='other.test'", "it sent the SNI 'other.test', and was to send 'good.test'"),
            ("sni='GOOD.test'", "it sent the SNI 'GOOD.test', and was to send 'good.test'"),
        ] as [(String, String?)])
    func aCompleteReportIsAboutWhatWasAsked(members: String, words: String?) async throws {
        let program = try FakeProgram("answer(request, report=complete(\(members)))\ncontinue")
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect((failure == nil) == (words == nil), "\(failure?.description ?? "no failure")")
        if let words {
            #expect(failure?.nativeCode == "program-garbled" && failure?.message.contains(words) == true)
        }
    }

    @Test("an address has no SNI (RFC 6066 section 3)") func addressesHaveNoSNI() async throws {
        let program = try FakeProgram("answer(request, report=complete())\ncontinue")
        let transport = try await program.transport()
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: .ip(.loopback4), anchors: .none,
                instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800))))
        await transport.stop()
        #expect(report.failure?.nativeCode == "program-garbled")
        #expect(report.failure?.message.contains("it sent the SNI 'good.test', and was to send none") == true)
    }

    /// A cause is taken where a program may know it; a newer program's name, and one of what is found out here, are ignored.
    @Test(
        arguments: [
            ("'version-not-offered'", .versionNotOffered), ("'key-usage'", .keyUsage),
            ("'legacy-renegotiation'", .legacyRenegotiation), ("'not-invented-yet'", nil),
            ("'temporary'", nil), ("'program-hung'", nil), ("None", nil),
        ] as [(String, HandshakeFailure.Cause?)])
    func theCauseOfAFailureArrives(cause: String, expected: HandshakeFailure.Cause?) async throws {
        let program = try FakeProgram(
            """
            answer(request, report={'failure': {'code': 'protocol-error', 'message': 'no', 'cause': \(cause)}})
            continue
            """)
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect(failure?.code == .protocolError && failure?.cause == expected)
    }

    /// The protocol has no word for an interface, without which another place would be dialled: the program is not asked.
    @Test(arguments: ["[fe80::1%lo]:9", "[::1%lo]:9"]) func anInterfaceIsRefusedByName(text: String) async throws {
        let program = try FakeProgram()
        let transport = try await program.transport()
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: try Endpoint(text, allowsZone: true), serverName: try ServerName("good.test"),
                anchors: .none, instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800))))
        await transport.stop()
        #expect(report.failure?.code == .unsupported, "\(report.failure?.description ?? "no failure")")
        #expect(report.failure?.message.hasPrefix("fake can't dial \(text): ") == true)
    }

    /// One place is written in several ways, and a system takes the address of nobody for its own.
    @Test(arguments: [
        ("0.0.0.0", "127.0.0.1:9"), ("::", "[::1]:9"), ("127.0.0.1", "[::ffff:127.0.0.1]:9"),
        ("::ffff:127.0.0.1", "127.0.0.1:9"),
    ])
    func anAddressMayBeWrittenOtherwise(host: String, reported: String) async throws {
        let program = try FakeProgram(
            "answer(request, report={'address': '\(reported)', 'failure': {'code': 'not-tls', 'message': ''}})\ncontinue"
        )
        let transport = try await program.transport()
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(try #require(IPAddress(host))), port: 9),
                serverName: try ServerName("good.test"), anchors: .none, instant: Date(timeIntervalSince1970: 0),
                deadline: .after(.seconds(1800))))
        await transport.stop()
        #expect(report.failure?.code == .notTLS, "\(report.failure?.description ?? "")")
    }

    @Test func factsArriveAsTheyAre() async throws {
        let program = try FakeProgram(
            """
            answer(request, report={
                'address': '127.0.0.1:9', 'sni': request['name'][4:], 'chain': ['AQI='], 'keys': [{'spki': 'AwQ='}],
                'version': '1.3', 'cipherSuite': 'TLS_AES_128_GCM_SHA256', 'group': 'x25519', 'alpn': 'h2',
                'ocspStaple': 'BQ==', 'handshakeSCTs': ['Bg=='], 'clientCertificateRequested': True,
                'trust': {'accepted': False, 'problems': [
                    {'cause': 'expired', 'message': 'old', 'nativeCode': 'E1', 'depth': 0}]},
                'timings': {'connect': 0.25, 'handshake': 0.5, 'trust': 1}, 'failure': None, 'beyond': 'us'})
            continue
            """)
        let transport = try await program.transport()
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: try ServerName("good.test"),
                anchors: .none, instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800))))
        await transport.stop()
        #expect(report.peerAddress == "127.0.0.1" && report.sniSent == "good.test")
        #expect(report.chain == [[1, 2]] && report.keys == [.spki([3, 4])])
        #expect(report.version == .tls13 && report.cipherSuite == "TLS_AES_128_GCM_SHA256" && report.group == "x25519")
        #expect(report.alpn == "h2" && report.ocspStaple == [5] && report.handshakeSCTs == [[6]])
        #expect(report.clientCertificateRequested == true)
        #expect(report.nativeTrust == .refused([.init(.expired, "old", nativeCode: "E1", depth: 0)]))
        #expect(report.timings.connect == .milliseconds(250) && report.timings.trust == .seconds(1))
        #expect(report.failure == nil)
    }

    /// Control characters are escaped, wherever they are.
    @Test func noTextIsObeyed() async throws {
        let program = try FakeProgram(
            """
            if request['type'] == 'handshake':
                asked = request
                send({'id': request['id'], 'type': 'approve', 'report': refusal()})
                continue
            text = '\\x1b[2J'
            answer(asked, report={
                'chain': ['AQI='], 'keys': [{'unreadable': text}], 'version': '1.3',
                'cipherSuite': text, 'group': text, 'alpn': text,
                'trust': {'accepted': False, 'problems': [{'cause': 'expired', 'message': text, 'nativeCode': text}]},
                'http': {'response': {'version': text, 'status': 200}},
                'failure': {'code': 'not-tls', 'message': text, 'nativeCode': text}})
            continue
            """)
        let transport = try await program.transport()
        let target = Target(name: try ServerName("good.test"))
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: target.name, anchors: .none,
                instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800)),
                exchange: HTTPExchange(with: target) { _ in true }))
        await transport.stop()
        let problem = report.nativeTrust?.problems.first
        let texts = [
            report.cipherSuite, report.group, report.alpn, problem?.message,
            problem?.nativeCode, report.http?.response?.version, report.failure?.message, report.failure?.nativeCode,
        ]
        for (index, text) in texts.enumerated() { #expect(text == "\\u{1b}[2J", "\(index)") }
        #expect(report.keys == [.unreadable("\\u{1b}[2J")])
    }

    /// No program is asked about more intermediates than a number of one byte holds.
    @Test func aDepthOfAnySizeIsOneThatLibrariesTake() async throws {
        let program = try FakeProgram(
            """
            problem = {'cause': 'other', 'message': str(request['maxDepth'])}
            answer(request, trust={'accepted': False, 'problems': [problem]})
            continue
            """)
        let transport = try await program.transport()
        var words: [String?] = []
        for depth in [0, 255, 256, Int.max, nil] as [Int?] {
            let question = TrustQuestion(
                chain: [[1]], anchors: .none, name: nil, instant: Date(timeIntervalSince1970: 0), maxDepth: depth)
            words.append(await transport.evaluateTrust(question).problems.first?.message)
        }
        await transport.stop()
        #expect(words == ["0", "255", "255", "255", "None"])
    }

    /// A number that its member can't have is named, where the decoder would call all of the reply malformed.
    @Test(arguments: [
        ("'alert': 300", "failure.alert is 300, and may be 0 to 255"),
        ("'alert': 10 ** 40", "a number is not whole, or outside the range of its member"),
        ("'alert': 1.5", "a number is not whole, or outside the range of its member"),
    ])
    func aNumberOutOfRangeIsNoFaultOfJSON(member: String, words: String) async throws {
        let program = try FakeProgram(
            "answer(request, report={'failure': {'code': 'alert-received', 'message': 'no', \(member)}})\ncontinue")
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect(failure?.nativeCode == "program-garbled")
        #expect(failure?.message.hasSuffix(words) == true, "\(failure?.message ?? "")")
    }

    /// Readers differ in which of two values they take.
    @Test func aMemberThatIsThereTwiceIsAFault() async throws {
        let program = try FakeProgram(
            """
            print('{"id": %d, "type": "handshake", "report": {"failure": {"code": "not-tls", "message": "a", \
            "message": "b"}}}' % request['id'], flush=True)
            continue
            """)
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect(failure?.nativeCode == "program-garbled")
        #expect(failure?.message.contains("wrote the member 'message' twice") == true, "\(failure?.message ?? "")")
    }

    /// Texts are as long as a person reads, and a sentence is never empty.
    @Test func textsHaveALimitAndSentencesHaveWords() async throws {
        let program = try FakeProgram(
            """
            problems = [{'cause': 'expired', 'message': ' ', 'nativeCode': 'E' * 5000}, {'cause': 'other', 'message': 'm' * 5000}]
            answer(request, report={
                'chain': ['AQI='], 'keys': [], 'version': '1.3', 'cipherSuite': 'c' * 5000,
                'trust': {'accepted': False, 'problems': problems},
                'failure': {'code': 'not-tls', 'message': ''}})
            continue
            """)
        let transport = try await program.transport()
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: Endpoint(host: .ip(.loopback4), port: 9), serverName: try ServerName("good.test"),
                anchors: .none, instant: Date(timeIntervalSince1970: 0), deadline: .after(.seconds(1800))))
        await transport.stop()
        #expect(report.failure?.message == "not-tls")
        #expect(report.cipherSuite == String(repeating: "c", count: 200) + "…")
        let problems = report.nativeTrust?.problems ?? []
        #expect(problems.map(\.message) == ["expired", String(repeating: "m", count: 1024) + "…"])
        #expect(problems.first?.nativeCode == String(repeating: "E", count: 200) + "…")
        // A key that is not reported means nothing for its certificate.
        #expect(report.keys == [.unanswered("it reported 0 keys of 1")])
    }

    /// A program's report of its own failure is for its author.
    @Test func itsOwnFailureIsItsAuthors() async throws {
        let program = try FakeProgram(
            "answer(request, report={'failure': {'code': 'backend-error', 'message': 'no memory'}})\ncontinue")
        let transport = try await program.transport()
        let failure = try await transport.ask()
        await transport.stop()
        #expect(failure?.code == .backendError && failure?.cause == .programReport && failure?.message == "no memory")
    }
}
