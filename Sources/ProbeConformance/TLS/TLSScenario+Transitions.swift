import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun

extension TLSScenario {
    /// Transition windows: a pinned certificate that was replaced, on clocks that agree with the server's or don't.
    static let transitions: [TLSScenario] =
        edges + vouchers + clocks + missingDates + ages + answers + silences

    /// The names of a server's protocols in an id, and the ALPN names it accepts.
    private static let protocols = [("h1", ["http/1.1"]), ("h2", ["h2", "http/1.1"])]
    private static let window = PinGroupRecipe.Window()
    private static let good = PinRecipe(.spki, of: .leaf(.good))
    private static let renewed = PinRecipe(.spki, of: .leaf(.renewedNewKey))

    /// Returns the certificate that was pinned, and is not served any more.
    private static func pinned(_ window: PinGroupRecipe.Window = window) -> PinGroupRecipe {
        PinGroupRecipe(PinRecipe(.cert, of: .leaf(.good)), at: .leaf, window: window)
    }

    /// Returns a renewal with the same key, which an SPKI pin vouches for, five days into the window.
    private static func transition(
        _ id: String, _ sentence: String, source: String, serving identity: LabIdentityName = .renewedSameKey,
        http: LabHTTPRecipe? = nil, instant: Int = 432_000, window: PinGroupRecipe.Window = window,
        keys: PinGroupRecipe? = PinGroupRecipe(good, at: .leaf), asks: Bool = true,
        _ expected: Outcome = .passWithWarnings, code: String? = nil, facts: [TLSFact] = []
    ) -> TLSScenario {
        let service = LabService.http(http ?? LabHTTPRecipe(dates: [.at(instant)]))
        let recipe = LabTLSRecipe(identity, applicationProtocols: HTTPExchange.alpn, service: service)
        return TLSScenario(
            "transition/" + id, sentence, source: source, .tls(recipe), expected,
            code: code ?? (expected == .pinMismatch ? "pin-mismatch" : nil)
        ).with {
            $0.pins = (keys.map { [$0] } ?? []) + [pinned(window)]
            $0.instant = instant
            $0.requests = asks ? 1 : 0
            $0.needs = asks ? [.httpHead] : []
            $0.facts = facts + (expected == .passWithWarnings ? [.finding("transition")] : [])
        }
    }

    /// Returns the same scenario on a server of HTTP/1.1 and on one of HTTP/2.
    private static func overBoth(_ scenario: TLSScenario) -> [TLSScenario] {
        protocols.map { name, alpn in
            guard case .tls(var recipe) = scenario.peer else { return scenario }
            recipe.applicationProtocols = alpn
            return TLSScenario(
                String(scenario.id.dropFirst("tls/".count)) + "-" + name, scenario.sentence, source: scenario.source,
                .tls(recipe), scenario.expected, code: scenario.expectedCode
            ).with {
                ($0.pins, $0.instant, $0.requests) = (scenario.pins, scenario.instant, scenario.requests)
                ($0.serverDate, $0.needs) = (scenario.serverDate, scenario.needs)
                $0.facts = scenario.facts + [.response(alpn[0], 200)]
            }
        }
    }

    private static let edges: [TLSScenario] =
        [
            transition(
                "before", "A second before the window the old certificate is demanded, and nothing is asked.",
                source: "requirements 9, 10 and 108", instant: -1, asks: false, .pinMismatch,
                facts: [.says("has not begun", in: "pin-mismatch")]),
            transition(
                "after", "So it is a second after it.", source: "requirements 9, 10 and 108",
                instant: window.end + 1, asks: false, .pinMismatch, facts: [.says("is over", in: "pin-mismatch")]),
        ]
        + overBoth(
            transition(
                "first-second", "From its first second on a renewal with a pinned key passes, with a warning.",
                source: "requirements 6, 9, 10 and 12, decided: window-dates", instant: 0, facts: [.skew(0)]))
        + overBoth(
            transition(
                "last-second", "Up to its last.", source: "requirements 9, 10 and 12, decided: window-dates",
                instant: window.end, facts: [.skew(0)]))

    private static let vouchers: [TLSScenario] =
        overBoth(
            transition(
                "known-alternate", "A new key passes in the window where it was pinned beforehand.",
                source: "requirements 9 and 104, decided: alternate-keys", serving: .renewedNewKey,
                keys: PinGroupRecipe(good, renewed, at: .leaf))) + [
            transition(
                "unknown-key", "A new key that was not fails, and nothing is asked.",
                source: "requirements 9 and 108, decided: alternate-keys", serving: .renewedNewKey, asks: false,
                .pinMismatch,
                facts: [.finding("no-alternate-key")]),
            transition(
                "no-key-pins", "Without key pins nothing vouches for a new certificate.",
                source: "requirement 9, decided: alternate-keys", keys: nil, asks: false, .pinMismatch,
                code: "no-alternate-key"),
            transition(
                "system", "Unless the chain alone was said to be enough.",
                source: "requirement 47, decided: alternate-keys",
                serving: .renewedNewKey, window: window.with { $0.fallback = .system }, keys: nil),
            transition(
                "system-before", "Which it is in the window only.", source: "requirement 10, decided: alternate-keys",
                serving: .renewedNewKey, instant: -1, window: window.with { $0.fallback = .system }, keys: nil,
                asks: false, .pinMismatch),
            transition(
                "system-with-keys", "And not against key pins that fail.",
                source: "requirement 3, decided: stage-order",
                serving: .renewedNewKey, window: window.with { $0.fallback = .system }, asks: false, .pinMismatch),
            transition(
                "untrusted", "A chain that is not trusted fails in the window too, and nothing is asked.",
                source: "requirements 52, 56 and 108", serving: .unknownIssuer,
                window: window.with { $0.fallback = .system }, keys: nil, asks: false, .trustFailed,
                code: "unknown-issuer"),
            transition(
                "wrong-name", "So does one for another name.", source: "requirements 83 and 108", serving: .wrongName,
                window: window.with { $0.fallback = .system }, keys: nil, asks: false, .trustFailed,
                code: "hostname-mismatch"),
        ]

    private static func skewed(_ seconds: Int, passes: Bool) -> TLSScenario {
        let side = seconds > 0 ? "ahead" : "behind"
        return transition(
            "skew-\(abs(seconds))-\(side)",
            passes
                ? "A clock that is \(abs(seconds)) s \(side) is good enough." : "One that is \(abs(seconds)) s is not.",
            source: "requirement 13, decided: clock-skew", http: LabHTTPRecipe(dates: [.at(432_000 - seconds)]),
            passes ? .passWithWarnings : .pinMismatch, code: passes ? nil : "clock-skew", facts: [.skew(seconds)])
    }

    private static let clocks: [TLSScenario] =
        [300, -300].map { skewed($0, passes: true) } + [301, -301].map { skewed($0, passes: false) } + [
            transition(
                "server-before", "The window has to have begun by the server's clock too.", source: "requirement 14",
                http: LabHTTPRecipe(dates: [.at(-1)]), instant: 0, .pinMismatch, code: "server-outside-window"),
            transition(
                "server-begins", "It has where the server is in its first second.", source: "requirement 14",
                http: LabHTTPRecipe(dates: [.at(0)]), instant: 10),
            transition(
                "server-after", "Nor may it be over by then.", source: "requirement 14",
                http: LabHTTPRecipe(dates: [.at(window.end + 1)]), instant: window.end, .pinMismatch,
                code: "server-outside-window"),
            transition(
                "server-ends", "It is not where the server is in its last second.", source: "requirement 14",
                http: LabHTTPRecipe(dates: [.at(window.end)]), instant: window.end - 10),
            transition(
                "lenient-skew", "A date that is there counts, also where none is needed.",
                source: "requirement 13, decided: missing-date", http: LabHTTPRecipe(dates: [.at(432_000 - 301)]),
                window: window.with { $0.onMissingDate = .lenient }, .pinMismatch, code: "clock-skew"),
        ]

    private static func dateless(_ id: String, _ sentence: String, _ http: LabHTTPRecipe) -> [TLSScenario] {
        let source = "requirement 13, decided: missing-date"
        return [
            transition(id, sentence, source: source, http: http, .pinMismatch, code: "server-date-unknown"),
            transition(
                id + "-lenient", "It does where the profile says so.", source: source, http: http,
                window: window.with { $0.onMissingDate = .lenient }),
        ]
    }

    private static let missingDates: [TLSScenario] =
        dateless("no-date", "Without a Date the tolerance ends.", LabHTTPRecipe(dates: []))
        + dateless("broken-date", "So it does with one that is not a date.", LabHTTPRecipe(dates: [.text("yesterday")]))
        + dateless("local-date", "Or in another form.", LabHTTPRecipe(dates: [.text("2026-11-01T12:00:00Z")]))
        + dateless("two-dates", "Or with two of them.", LabHTTPRecipe(dates: [.at(432_000), .at(432_000)]))

    private static let ages: [TLSScenario] =
        [
            transition(
                "age", "A cache's Date is corrected by its Age.", source: "requirement 13, decided: missing-date",
                http: LabHTTPRecipe(dates: [.at(432_000 - 1000)], ages: ["1000"]), facts: [.skew(0)]),
            transition(
                "age-too-small", "As far as that goes.", source: "requirement 13, decided: missing-date",
                http: LabHTTPRecipe(dates: [.at(432_000 - 1000)], ages: ["600"]), .pinMismatch, code: "clock-skew",
                facts: [.skew(400)]),
        ]
        + ["-1", "soon", "1.5", "99999999999999999999"].enumerated().flatMap { index, age in
            dateless(
                "broken-age-\(index)", "An Age that is not a number of seconds spoils the Date.",
                LabHTTPRecipe(dates: [.at(432_000)], ages: [age]))
        }
        + dateless(
            "two-ages", "So do two of them.", LabHTTPRecipe(dates: [.at(432_000)], ages: ["0", "0"]))

    private static let answers: [TLSScenario] =
        [301, 404, 405, 500, 503].map { status in
            transition(
                "status-\(status)", "What the server thinks of HEAD does not matter: here \(status).",
                source: "requirement 45",
                http: LabHTTPRecipe(
                    status: status, dates: [.at(432_000)], retryAfter: status == 503 ? "120" : nil,
                    location: status == 301 ? "https://good.test/elsewhere" : nil),
                facts: [.response("h2", status)])
        }
        + overBoth(
            transition(
                "interim", "Interim responses come before the answer.", source: "RFC 9110 15.2",
                http: LabHTTPRecipe(dates: [.at(432_000)], interim: 3)))

    private static let silences: [TLSScenario] = [
        transition(
            "unchanged", "The pinned certificate itself passes in the window, and nothing is asked or warned of.",
            source: "requirements 15 and 54", serving: .good, asks: false, .pass),
        transition(
            "never", "Where the server is not to be asked there is no tolerance.",
            source: "requirement 13, decided: missing-date", asks: false, .pinMismatch, code: "transition-unproven"
        ).with { $0.serverDate = .never },
        transition(
            "never-lenient", "Unless none of its time is needed.", source: "decided: missing-date",
            window: window.with { $0.onMissingDate = .lenient }, asks: false
        ).with {
            $0.serverDate = .never
            $0.facts = [.finding("transition-unproven")]
        },
        transition(
            "reported", "A group that only reports needs no tolerance.", source: "requirement 12", asks: false,
            .passWithWarnings
        ).with {
            $0.pins = [PinGroupRecipe(PinRecipe(.cert, of: .leaf(.good)), at: .leaf, isEnforced: false)]
            $0.facts = [.finding("pin-mismatch-reported")]
        },
    ]
}
