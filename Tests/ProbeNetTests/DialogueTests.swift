import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// The dialogues before TLS, against the lab's scripts and without a socket.
@Suite(.bounded) struct DialogueTests {
    /// The end of a dialogue that was played to the end of the server's script.
    private enum End: Equatable {
        case ready, waits
        case failed(HandshakeFailure.Code)
    }

    /// Plays a script whose bytes arrive in pieces of `count`; the client's messages have to be the script's.
    private static func play(
        _ dialogue: LabDialogue, pieces count: Int, through proxy: HandshakeRequest.Proxy? = nil
    ) throws -> End {
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 1), serverName: try ServerName("good.test"),
            anchors: .none, instant: .distantPast, deadline: .after(.seconds(1800)), startTLS: dialogue.known,
            route: proxy.map { .proxy($0) } ?? .direct)
        var run = try #require(DialogueRun(request, to: request.endpoint))
        var said: [UInt8] = []
        var end = End.waits
        func take(_ progress: DialogueRun.Progress) {
            switch progress {
            case .waits(let output): said += output
            case .ready(let output):
                said += output
                end = .ready
            case .failed(let failure): end = .failed(failure.code)
            }
        }
        take(run.receive([]))
        for step in dialogue.steps where end == .waits || !said.isEmpty {
            switch step {
            case .hears(let message):
                if said.isEmpty { return end }
                #expect(
                    said.starts(with: message), "\(String(describing: dialogue.known)): \(said) instead of \(message)")
                said.removeFirst(min(message.count, said.count))
            case .says(let bytes):
                for start in stride(from: 0, to: bytes.count, by: count) where end == .waits {
                    take(run.receive(bytes[start..<min(start + count, bytes.count)]))
                }
            }
        }
        #expect(said.isEmpty || end != .ready, "\(String(describing: dialogue.known)) said more: \(said)")
        return end
    }

    @Test("TLS begins after each protocol's go-ahead, however its bytes are split", arguments: StartTLS.allCases)
    func regular(known: StartTLS) throws {
        for count in [1, 2, 3, 5, 7, 16, 1024] {
            #expect(try Self.play(LabDialogue(known), pieces: count) == .ready, "in pieces of \(count)")
        }
    }

    @Test("nothing but the go-ahead starts TLS", arguments: StartTLS.allCases)
    func faulty(known: StartTLS) throws {
        for count in [1, 7, 1024] {
            let refused = End.failed(.startTLSRefused)
            #expect(try Self.play(LabDialogue(known, .offersNone), pieces: count) == refused, "\(count)")
            #expect(try Self.play(LabDialogue(known, .refuses), pieces: count) == refused, "\(count)")
        }
        #expect(try Self.play(LabDialogue(known, .injects), pieces: 1024) == .failed(.startTLSInjection))
    }

    /// A change of any one byte of the server's is no go-ahead, unless the byte is free text; it never traps.
    @Test(arguments: StartTLS.allCases) func changedBytesAreSurvived(known: StartTLS) throws {
        let dialogue = LabDialogue(known)
        for (index, step) in dialogue.steps.enumerated() {
            guard case .says(let bytes) = step else { continue }
            for place in bytes.indices {
                for byte in [0, 0x0a, 0x3c, 0x7f, 0xff] as [UInt8] {
                    var run = try #require(DialogueRun(try Self.request(known), to: Self.place))
                    _ = run.receive([])
                    for case .says(let earlier) in dialogue.steps[..<index] { _ = run.receive(earlier) }
                    var changed = bytes
                    changed[place] = byte
                    _ = run.receive(changed)
                }
            }
        }
    }

    @Test("a line, a message and a dialogue have bounds", arguments: StartTLS.allCases)
    func boundsHold(known: StartTLS) throws {
        for refrain in [
            Array("220-x\r\n".utf8), Array("* x\r\n".utf8), Array("\"x\"\r\n".utf8), [0x61], [0x3c], [0x20],
        ] {
            var run = try #require(DialogueRun(try Self.request(known), to: Self.place))
            _ = run.receive([])
            var sent = 0
            var failure: HandshakeFailure?
            while failure == nil, sent <= DialogueLimits.dialogue + 4096 {
                let bytes = Array([[UInt8]](repeating: refrain, count: 1024 / refrain.count).joined())
                sent += bytes.count
                if case .failed(let reason) = run.receive(bytes) { failure = reason }
            }
            #expect(failure?.code == .startTLSProtocolError, "\(refrain)")
        }
    }

    @Test(
        "a proxy's answer may come in pieces, and what is behind it goes on",
        arguments: HandshakeRequest.Proxy.Scheme.allCases)
    func proxies(scheme: HandshakeRequest.Proxy.Scheme) throws {
        let proxy = HandshakeRequest.Proxy(
            scheme, at: Self.place, credentials: .basic(Secret(copying: Array("user:pass:word".utf8).span)))
        for next in [nil, LabDialogue(.smtp), LabDialogue(.mysql)] {
            for count in [1, 2, 3, 7, 1024] {
                let dialogue = LabDialogue(proxy: scheme, to: Self.place, credentials: "user:pass:word", then: next)
                #expect(try Self.play(dialogue, pieces: count, through: proxy) == .ready, "in pieces of \(count)")
            }
        }
        let injected = LabDialogue(
            proxy: scheme, to: Self.place, credentials: "user:pass:word", fault: .injects)
        #expect(try Self.play(injected, pieces: 1024, through: proxy) == .failed(.proxyProtocolError))
    }

    @Test(
        "a port that waits for the client is suspected only where the server should have begun",
        arguments: [
            (StartTLS.smtp, true), (.imap, true), (.postgres, false), (.ldap, false), (.xmppClient, false),
        ])
    func silence(known: StartTLS, isServersTurn: Bool) throws {
        let request = try Self.request(known)
        var run = try #require(DialogueRun(request, to: Self.place))
        _ = run.receive([])
        let failure = run.timeout(request)
        #expect(failure.code == .handshakeTimeout && (failure.cause == .noGreeting) == isServersTurn)
        #expect(failure.message.contains("waits for the client") == isServersTurn, "\(failure.message)")
    }

    @Test("a proxy's bytes are not those of the silent server behind it") func silenceBehindAProxy() throws {
        let request = HandshakeRequest(
            endpoint: Self.place, serverName: try ServerName("good.test"), anchors: .none, instant: .distantPast,
            deadline: .after(.seconds(1800)), startTLS: .smtp,
            route: .proxy(HandshakeRequest.Proxy(.http, at: Self.place)))
        var run = try #require(DialogueRun(request, to: Self.place))
        _ = run.receive([])
        _ = run.receive(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        #expect(!run.didReceive && run.timeout(request).cause == .noGreeting)
        _ = run.receive(Array("220 ".utf8))
        #expect(run.didReceive && run.timeout(request).cause == nil)
    }

    @Test(
        "before it is asked an IMAP server may send untagged lines alone (RFC 9051 section 7)",
        arguments: [
            ("* CAPABILITY IMAP4rev2 STARTTLS\r\n", false), ("* CAPAB", false), ("* X {3}\r\na b\r\n", false),
            ("* X {3}\r\na ", false), ("* CAPABILITY IMAP4rev2 STARTTLS\r\na1 OK done\r\n", true),
            ("a1 OK done\r\n", true), ("* CAPABILITY STARTTLS\r\na", true),
        ])
    func earlyAnswers(bytes: String, isViolation: Bool) throws {
        var run = try #require(DialogueRun(try Self.request(.imap), to: Self.place))
        _ = run.receive([])
        switch run.receive(Array("* OK ready\r\n\(bytes)".utf8)) {
        case .waits: #expect(!isViolation)
        case .failed(let failure): #expect(isViolation && failure.code == .startTLSProtocolError, "\(failure)")
        case .ready: Issue.record("TLS was not asked for")
        }
    }

    @Test("interim answers of a proxy come before the one that counts") func interimAnswers() throws {
        let proxy = HandshakeRequest.Proxy(.http, at: Self.place)
        for (answer, isReady) in [
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", true),
            ("HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 102 Wait\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", true),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 No\r\n\r\n", false),
            ("HTTP/1.1 101 Switching\r\n\r\n", false), ("HTTP/1.1 099 No\r\n\r\n", false),
        ] {
            let request = HandshakeRequest(
                endpoint: Self.place, serverName: try ServerName("good.test"), anchors: .none, instant: .distantPast,
                deadline: .after(.seconds(1800)), route: .proxy(proxy))
            for count in [1, 7, 1024] {
                var run = try #require(DialogueRun(request, to: Self.place))
                var end = run.receive([])
                let bytes = Array(answer.utf8)
                for start in stride(from: 0, to: bytes.count, by: count) {
                    guard case .waits = end else { break }
                    end = run.receive(bytes[start..<min(start + count, bytes.count)])
                }
                if case .ready = end { #expect(isReady, "\(answer)") } else { #expect(!isReady, "\(answer)") }
            }
        }
    }

    private static let place = Endpoint(host: .ip(.loopback4), port: 1)

    private static func request(_ known: StartTLS) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: 1), serverName: try ServerName("good.test"),
            anchors: .none, instant: .distantPast, deadline: .after(.seconds(1800)), startTLS: known)
    }
}
