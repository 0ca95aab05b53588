import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// Servers that say no before TLS: what they refuse, whether it passes, and their words.
@Suite(.bounded) struct StartTLSRefusalTests {
    private static let place = Endpoint(host: .ip(.loopback4), port: 1)

    /// Sends replies in pieces of `count` bytes, as long as the dialogue goes on.
    private static func play(
        _ known: StartTLS, _ replies: [[UInt8]], pieces count: Int
    ) throws -> DialogueRun.Progress {
        let request = HandshakeRequest(
            endpoint: place, serverName: try ServerName("good.test"), anchors: .none, instant: .distantPast,
            deadline: .after(.seconds(1800)), startTLS: known)
        var run = try #require(DialogueRun(request, to: place))
        var end = run.receive([])
        for reply in replies {
            for start in stride(from: 0, to: reply.count, by: count) {
                guard case .waits = end else { return end }
                end = run.receive(reply[start..<min(start + count, reply.count)])
            }
        }
        return end
    }

    private static func check(
        _ known: StartTLS, _ replies: [[UInt8]], _ words: String, _ subject: RefusedSubject, isTemporary: Bool
    ) throws {
        let (refused, cause): (String, HandshakeFailure.Cause?) =
            switch subject {
            case .tls: ("to start TLS", nil)
            case .client: ("this client before TLS", .clientRefused)
            case .name: ("the name before TLS", .nameNotServed)
            }
        for count in [1, 7, 1024] {
            guard case .failed(let failure) = try play(known, replies, pieces: count) else {
                Issue.record("it was not refused: \(words)")
                return
            }
            #expect(failure.code == .startTLSRefused && failure.isTransient == isTemporary)
            #expect(failure.cause == (isTemporary ? .temporary : cause))
            #expect(failure.message == "the server refused \(refused): \"\(words)\"", "\(failure.message)")
        }
    }

    @Test(
        "a line of a condition that passes is temporary, and one before the request refuses the client",
        arguments: [
            (.smtp, ["421 too many connections"], .client, true), (.smtp, ["554 no"], .client, false),
            (.smtp, ["220 ready", "421 too busy"], .client, true), (.smtp, ["220 ready", "550 no"], .client, false),
            (.smtp, ["220 ready", "500 what"], .tls, false), (.ftp, ["220 ready", "431 not now"], .tls, true),
            (.lmtp, ["220 ready", "250-a\r\n250 STARTTLS", "454 not now"], .tls, true),
            (.smtp, ["220 ready", "250-a\r\n250 STARTTLS", "554 no"], .tls, false),
            (.nntp, ["400 busy"], .client, true), (.nntp, ["502 not you"], .client, false),
            (.nntp, ["200 ready", "483 no"], .tls, false), (.imap, ["* BYE busy"], .client, false),
            (.imap, ["* BYE [UNAVAILABLE] later"], .client, true), (.imap, ["* OK hi", "* BYE busy"], .client, false),
            (.imap, ["* OK hi", "a1 NO no"], .tls, false), (.pop3, ["-ERR busy"], .client, false),
            (.pop3, ["-ERR [SYS/TEMP] later"], .client, true), (.pop3, ["+OK", "-ERR no"], .tls, false),
            (.sieve, ["BYE \"busy\""], .client, false), (.sieve, ["BYE (TRYLATER) \"later\""], .client, true),
        ] as [(StartTLS, [String], RefusedSubject, Bool)])
    func lines(known: StartTLS, replies: [String], subject: RefusedSubject, isTemporary: Bool) throws {
        try Self.check(
            known, replies.map { Array("\($0)\r\n".utf8) }, replies.last ?? "", subject, isTemporary: isTemporary)
    }

    @Test(
        "an error in place of MySQL's greeting is quoted with its number",
        arguments: [
            (0x10, "Too many connections", "ERROR 1040: Too many connections", true),
            (0x10, "#08004Too many connections", "ERROR 1040 (08004): Too many connections", true),
            (0x69, "Host 'a' is blocked", "ERROR 1129: Host 'a' is blocked", false),
            (0x6a, "Host 'a' is not allowed", "ERROR 1130: Host 'a' is not allowed", false),
        ] as [(UInt8, String, String, Bool)])
    func mysql(lower: UInt8, text: String, words: String, isTemporary: Bool) throws {
        let payload: [UInt8] = [0xff, lower, 0x04] + Array(text.utf8)
        try Self.check(
            .mysql, [[UInt8(payload.count), 0, 0, 0] + payload], words, .client, isTemporary: isTemporary)
    }

    @Test(
        "LDAP's results have their names, and busy passes",
        arguments: [
            (1, 51, "", "result 51 (busy)", .tls, true),
            (1, 52, "Error initializing SSL/TLS\0", "result 52 (unavailable): Error initializing SSL/TLS", .tls, false),
            (1, 53, "", "result 53 (unwillingToPerform)", .tls, false), (1, 80, "x", "result 80: x", .tls, false),
            (0, 52, "", "result 52 (unavailable)", .client, true),
        ] as [(UInt8, UInt8, String, String, RefusedSubject, Bool)])
    func ldap(
        identifier: UInt8, code: UInt8, text: String, words: String, subject: RefusedSubject, isTemporary: Bool
    ) throws {
        // The notice of disconnection has a name behind the result.
        let name: [UInt8] = identifier == 0 ? [0x8a, 22] + Array("1.3.6.1.4.1.1466.20036".utf8) : []
        let status: [UInt8] = [0x0a, 1, code, 0x04, 0, 0x04, UInt8(text.utf8.count)]
        let result = status + Array(text.utf8) + name
        let content: [UInt8] = [0x02, 1, identifier, 0x78, UInt8(result.count)] + result
        try Self.check(
            .ldap, [[0x30, UInt8(content.count)] + content], words, subject, isTemporary: isTemporary)
    }

    @Test(
        "PostgreSQL's error is waited for and quoted by its fields",
        arguments: [
            ("SFATAL|C53300|Msorry, too many clients", "FATAL 53300: sorry, too many clients", true),
            ("SFATAL|VFATAL|C57P03|Mstarting up|Fpostmaster.c", "FATAL 57P03: starting up", true),
            ("SFATAL|C28000|Mno pg_hba.conf entry", "FATAL 28000: no pg_hba.conf entry", false),
        ])
    func postgres(fields: String, words: String, isTemporary: Bool) throws {
        let body: [UInt8] = fields.utf8.map { $0 == UInt8(ascii: "|") ? 0 : $0 } + [0, 0]
        let error: [UInt8] = [UInt8(ascii: "E"), 0, 0, 0, UInt8(body.count + 4)] + body
        try Self.check(.postgres, [error], words, .client, isTemporary: isTemporary)
    }

    @Test("PostgreSQL's error of protocol 2 is a text, and both forms are bounded") func postgresForms() throws {
        try Self.check(
            .postgres, [Array("Ecould not fork new process: out of memory\n\0".utf8)],
            "could not fork new process: out of memory",
            .client, isTemporary: true)
        try Self.check(.postgres, [Array("Ego away\n\0".utf8)], "go away", .client, isTemporary: false)
        let endless = [UInt8](repeating: UInt8(ascii: "E"), count: DialogueLimits.message + 8)
        for error in [[UInt8(ascii: "E"), 0, 0, 0x7f, 0xff], [UInt8(ascii: "E"), 0, 0, 0, 4], endless] {
            guard case .failed(let failure) = try Self.play(.postgres, [error], pieces: 1024) else {
                Issue.record("\(error.count) bytes are waited for")
                continue
            }
            #expect(failure.code == .startTLSProtocolError)
        }
    }

    @Test(
        "the condition of an XMPP stream error is the reason",
        arguments: [
            ("host-unknown", .name, false), ("host-gone", .name, false), ("policy-violation", .client, false),
            ("system-shutdown", .client, true), ("resource-constraint", .client, true),
        ] as [(String, RefusedSubject, Bool)])
    func xmpp(condition: String, subject: RefusedSubject, isTemporary: Bool) throws {
        let streams = "http://etherx.jabber.org/streams"
        let header = "<?xml version='1.0'?><stream:stream version='1.0' xmlns:stream='\(streams)'>"
        let features = "<stream:features><starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/></stream:features>"
        let error = """
            <stream:error>
            <\(condition) xmlns='urn:ietf:params:xml:ns:xmpp-streams'/></stream:error></stream:stream>
            """
        let replies = [header, error].map { Array($0.utf8) }
        try Self.check(.xmppClient, replies, condition, subject, isTemporary: isTemporary)
        let asked = [header + features, error].map { Array($0.utf8) }
        try Self.check(
            .xmppClient, asked, condition, subject == .client ? .tls : subject, isTemporary: isTemporary)
    }

    @Test("strings may be literals, whose bytes are not lines") func literals() throws {
        let dialogues: [(StartTLS, [String])] = [
            (.sieve, ["\"IMPLEMENTATION\" {3}\r\nabc\r\n\"STARTTLS\"\r\nOK {2}\r\nhi\r\n", "OK {2+}\r\nhi\r\n"]),
            (.sieve, ["\"X\" {6}\r\n\r\nOK\r\n\r\n{8}\r\nSTARTTLS\r\nOK (TAG {1}\r\nx) \"y\"\r\n", "OK\r\n"]),
            (
                .imap,
                [
                    "* OK ready {5}\r\n", "* ID (\"name\" {7}\r\na1 NO\r\n)\r\n* CAPABILITY STARTTLS\r\na1 OK ok\r\n",
                    "a2 OK go {9}\r\n",
                ]
            ),
        ]
        for (known, replies) in dialogues {
            for count in [1, 7, 1024] {
                let end = try Self.play(known, replies.map { Array($0.utf8) }, pieces: count)
                guard case .ready = end else {
                    Issue.record("\(known), in pieces of \(count): \(end)")
                    continue
                }
            }
        }
        try Self.check(
            .sieve, [Array("BYE {4}\r\nbusy\r\n".utf8)], "BYE \"busy\"", .client, isTemporary: false)
    }

    @Test("a literal is bounded as a line is", arguments: ["9000", "99999999999999999999"])
    func largeLiterals(size: String) throws {
        let end = try Self.play(.sieve, [Array("\"X\" {\(size)}\r\n".utf8)], pieces: 1024)
        guard case .failed(let failure) = end else {
            Issue.record("it is waited for")
            return
        }
        #expect(failure.code == .startTLSProtocolError)
    }
}
