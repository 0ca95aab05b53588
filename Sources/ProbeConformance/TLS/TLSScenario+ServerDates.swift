import ProbeKit
import ProbeLab
import ProbeRun

extension TLSScenario {
    /// The server's time, asked for by name, of servers that answer and of servers that don't. Whatever they do instead of
    /// answering costs a warning, and changes nothing about the handshake.
    static let serverDates: [TLSScenario] = asked + refused + rude + belowTLS + inHTTP1 + inHTTP2

    private static func asked(
        _ id: String, _ sentence: String, source: String = "requirement 45", _ service: LabService,
        serving identity: LabIdentityName = .good, alpn: [String] = HTTPExchange.alpn,
        versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, _ expected: Outcome = .pass, code: String? = nil,
        facts: [TLSFact] = []
    ) -> TLSScenario {
        TLSScenario(
            "server-date/" + id, sentence, source: source,
            .tls(LabTLSRecipe(identity, versions: versions, applicationProtocols: alpn, service: service)), expected,
            code: code
        ).with {
            $0.serverDate = .always
            $0.requests = expected.isPass ? 1 : 0
            $0.facts = facts
        }
    }

    private static let asked: [TLSScenario] = [
        asked(
            "h2", "HTTP/2 is spoken where ALPN agrees on it.", source: "requirement 45, RFC 9113 3.2",
            .http(LabHTTPRecipe()), facts: [.finding("server-date"), .alpn("h2"), .response("h2", 200), .skew(0)]),
        asked(
            "h2-in-tls-1.2", "In TLS 1.2 too.", source: "RFC 9113 9.2", .http(LabHTTPRecipe()),
            versions: .tls12 ... .tls12, facts: [.version(.tls12), .response("h2", 200), .skew(0)]),
        asked(
            "h1", "HTTP/1.1 where it agrees on that.", .http(LabHTTPRecipe()), alpn: ["http/1.1"],
            facts: [.alpn("http/1.1"), .response("http/1.1", 200), .skew(0)]),
        asked(
            "h1-in-tls-1.2", "In TLS 1.2 too.", .http(LabHTTPRecipe()), alpn: ["http/1.1"],
            versions: .tls12 ... .tls12, facts: [.version(.tls12), .response("http/1.1", 200), .skew(0)]),
        asked(
            "no-alpn", "And where it agrees on nothing.", .http(LabHTTPRecipe()), alpn: [],
            facts: [.alpn(nil), .response("http/1.1", 200), .skew(0)]),
        asked(
            "skewed", "A clock that is off is reported, and fails nothing by itself.",
            .http(LabHTTPRecipe(dates: [.at(-86_400)])),
            facts: [.says("86400 s behind ours", in: "server-date"), .skew(86_400)]),
        asked(
            "other-protocol", "Nothing is sent in a protocol that is not HTTP.", source: "RFC 7301 3.2",
            .http(LabHTTPRecipe()), alpn: ["mqtt"], .passWithWarnings,
            facts: [.alpn("mqtt"), .says("'mqtt', which is neither h2 nor http/1.1", in: "server-date-unknown")]
        ).with {
            $0.alpn = ["mqtt"]
            $0.requests = 0
        },
    ]

    private static let refused: [TLSScenario] = [
        asked(
            "pin-mismatch", "A server that fails a pin is asked nothing.", source: "requirement 108",
            .http(LabHTTPRecipe()), .pinMismatch, code: "pin-mismatch"
        ).with { $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .nothing), at: .any)] },
        asked(
            "trust-failed", "Nor one that is not trusted.", source: "requirements 56 and 108", .http(LabHTTPRecipe()),
            serving: .expired, .trustFailed, code: "expired"),
        asked(
            "tls-policy", "Nor one that speaks a version too old.", source: "requirements 55 and 108",
            .http(LabHTTPRecipe()), versions: .tls12 ... .tls12, .tlsPolicyFailed, code: "tls-version"
        ).with { $0.minimumTLS = .tls13 },
    ]

    private static func hostile(
        _ id: String, _ sentence: String, _ service: LabService, alpn: [String] = ["http/1.1"],
        over version: TLSVersion? = nil
    ) -> TLSScenario {
        asked(
            "faults/" + id, sentence, source: "decided: deadlines, requirement 48", service, alpn: alpn,
            versions: version.map { $0...$0 } ?? .tls12 ... .tls13, .passWithWarnings,
            facts: [.finding("server-date-unknown")]
        ).with {
            $0.pins = [PinGroupRecipe(PinRecipe(.spki, of: .leaf(.good)), at: .leaf)]
            // It is a race whether the request is sent before the peer's bytes arrive.
            if case .script(let script) = service, script.cue == .accept { $0.requests = nil }
        }
    }

    /// Returns a scenario with a near deadline, for servers that send nothing.
    private static func slow(_ scenario: TLSScenario) -> TLSScenario {
        scenario.with {
            $0.timeout = .seconds(1)
            $0.facts.append(.says("before the deadline", in: "server-date-unknown"))
        }
    }

    /// In either protocol.
    private static let rude: [TLSScenario] = [["http/1.1"], ["h2"]].flatMap { alpn in
        let name = alpn[0] == "h2" ? "h2" : "h1"
        return [
            slow(hostile("silent-" + name, "One that never answers.", .silent, alpn: alpn)),
            hostile("closes-" + name, "One that ends the connection at once.", .closes, alpn: alpn),
            hostile("closes-on-request-" + name, "Or on the request.", .closesOnRequest, alpn: alpn),
            hostile("resets-" + name, "Or breaks it off.", .resetsOnRequest, alpn: alpn),
            hostile("garbage-" + name, "One that answers nothing of sense.", .garbage, alpn: alpn),
            hostile("endless-garbage-" + name, "Without end.", .endlessGarbage, alpn: alpn),
            hostile("mail-" + name, "One that greets first.", .mail, alpn: alpn),
        ]
    }

    private static let belowTLS: [TLSScenario] = [TLSVersion.tls12, .tls13].flatMap { version in
        let name = "-in-tls-" + version.number
        return [
            hostile("plain-answer" + name, "An answer below TLS.", .plainAnswer, over: version),
            hostile("forged-record" + name, "A record nobody encrypted.", .forgedRecord, over: version),
            hostile("forged-alert" + name, "An alert nobody encrypted.", .forgedAlert, over: version),
            hostile("forged-handshake" + name, "A handshake nobody encrypted.", .forgedHandshake, over: version),
            hostile("oversized-record" + name, "A record too long.", .oversizedRecord, over: version),
            slow(hostile("half-record" + name, "A record that stops.", .halfRecord, over: version)),
        ]
    }

    private static let date = "Sun, 01 Nov 2026 12:00:00 GMT"

    /// Returns a scenario of a head that is not as servers usually write it, and can be read.
    private static func head(
        _ id: String, _ sentence: String, source: String = "RFC 9112 2.2", _ text: String
    ) -> TLSScenario {
        asked(
            "heads/" + id, sentence, source: source, .answering(text), alpn: ["http/1.1"],
            facts: [.finding("server-date"), .response("http/1.1", 200)])
    }

    private static let inHTTP1: [TLSScenario] = [
        head("bare-lf", "Lines may end with LF alone.", "HTTP/1.1 200 OK\nDate: \(date)\nContent-Length: 0\n\n"),
        head(
            "folded", "A value may go on in the next line.", source: "RFC 9112 5.2",
            "HTTP/1.1 200 OK\r\nX-A: a\r\n b\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        head(
            "http-1.0", "An older server has a clock too.",
            "HTTP/1.0 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n"),
        hostile(
            "space-before-colon", "A name with a space after it.",
            .answering("HTTP/1.1 200 OK\r\nDate : \(date)\r\nContent-Length: 0\r\n\r\n")),
        hostile(
            "odd-name", "A name of other characters.",
            .answering("HTTP/1.1 200 OK\r\nX(a)@b: x\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n")),
        hostile(
            "nul-in-date", "A value with a NUL in it.",
            .answering("HTTP/1.1 200 OK\r\nDate: \(date)\0\r\nContent-Length: 0\r\n\r\n")),
        slow(hostile("half-head", "A head that stops.", .halfHead)),
        hostile("cut-head", "A head that is cut off after its Date.", .cutHead),
        hostile("endless-fields", "A head without end.", .endlessFields),
        hostile("endless-field", "A field without end.", .endlessField),
        hostile("endless-interim", "Interim responses without end.", .endlessInterim),
        hostile("switches-protocols", "A switch to another protocol.", .switchesProtocols),
        hostile("odd-status", "A status that there is not.", .oddStatus),
    ]

    private static let inHTTP2: [TLSScenario] =
        [
            ("h1-in-h2", "An answer in HTTP/1.1 to one of HTTP/2.", LabService.halfHead),
            ("goes-away", "One that gives up the connection.", .goesAway),
            ("refuses-stream", "One that refuses the stream.", .refusesStream),
            ("demands-http-1.1", "One that wants HTTP/1.1 after all.", .demandsHTTP11),
            ("other-stream", "An answer on another stream.", .answersOtherStream),
            ("broken-fields", "Fields that can't be decoded.", .brokenFields),
            ("no-status", "A head without a status.", .noStatus),
            ("endless-settings", "Settings without end.", .endlessSettings),
            ("endless-pings", "Pings without end.", .endlessPings),
            ("endless-unknown-frames", "Unknown frames without end.", .endlessUnknownFrames),
            ("endless-continuations", "A header block without end.", .endlessContinuations),
        ].map { id, sentence, service in hostile(id, sentence, service, alpn: ["h2"]) } + [
            slow(hostile("pushes", "A push, which is not an answer.", .pushes, alpn: ["h2"]))
        ]
}
