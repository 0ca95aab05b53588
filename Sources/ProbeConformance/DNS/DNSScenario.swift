public import ProbeKit
public import ProbeLab
public import ProbePlatform

/// One promise about reading an allow-list over DNS, as data: a server, a question, and the expected result.
///
/// The promise holds for every resolver alike; the few exemptions are listed by hand beside it.
public struct DNSScenario: Sendable, Identifiable, CustomStringConvertible {
    /// A server of the scenario.
    public struct Server: Sendable {
        /// The answers.
        public let zone: LabDNSZone
        /// The protocols it listens on.
        public let listening: LabDNSServer.Listening
        /// The loopback address it listens on.
        let address: IPAddress

        /// Creates a server that answers every query in the same way.
        public init(_ behaviour: LabDNSBehaviour, listening: LabDNSServer.Listening = .both) {
            self.init(LabDNSZone(behaviour), listening: listening)
        }

        /// Creates a server with a zone.
        public init(_ zone: LabDNSZone, listening: LabDNSServer.Listening = .both) {
            self.init(zone, on: .loopback4, listening: listening)
        }

        /// Creates a server with a zone on a loopback address.
        init(_ zone: LabDNSZone, on address: IPAddress, listening: LabDNSServer.Listening = .both) {
            self.zone = zone
            self.listening = listening
            self.address = address
        }
    }

    /// The channel of the exchanges that a promise is about.
    public enum Medium: Sendable {
        /// Whatever the resolver asks over.
        case any
        /// UDP and TCP: datagrams may be forged or truncated, a stream of messages may hold several.
        case plain
        /// TLS, around DNS's own framing.
        case tls
        /// HTTPS, by one of its methods.
        case https(DoHServer.Method)
    }

    /// Stable, with slashes: `dns/lists/items`.
    public let id: String
    /// The promise.
    public let sentence: String
    /// The promise's source: an RFC section, a requirement, or a choice of ours, named as such.
    public let source: String
    /// The servers, in the order they are asked.
    public let servers: [Server]
    /// The channel that the promise is about.
    public var medium = Medium.any
    /// The TLS settings of its servers over HTTPS and TLS.
    public var tls = LabTLSRecipe(.good)
    /// The EDNS size the query advertises.
    public var ednsSize: UInt16? = DNSQuery.defaultEDNSSize
    /// The number of queries to each server.
    public var tries = 1
    /// The DNSSEC validation that an answer needs.
    public var dnssec = DNSSECPolicy.off
    /// The trust anchors of validation.
    public var anchors: [DNSAnchor] = []
    /// The instant at which signatures have to be valid.
    public var instant: Date?
    /// The time limit of the whole query.
    public var timeout = Duration.seconds(2)
    /// The model that is looked for.
    public var model = "florida"
    /// The way the strings of one record are read.
    public var strings = TXTStrings.joined
    /// The outcome.
    public let expected: Outcome
    /// The code of a `dns-indeterminate` outcome; nil if any will do.
    public let expectedCode: String?
    /// The permitted time from query to outcome, if time is the promise.
    public var duration: ClosedRange<Duration>?
    /// The exemptions, by the name in a resolver's identity.
    public var exemptions: [String: Exemption] = [:]

    /// The name every scenario asks for.
    public static let name = DNSName.lab("models", "test")

    /// The id and the sentence.
    public var description: String { "\(id): \(sentence)" }

    init(
        _ id: String, _ sentence: String, source: String, _ servers: [Server], _ expected: Outcome, code: String? = nil
    ) {
        self.id = "dns/" + id
        self.sentence = sentence
        self.source = source
        self.servers = servers
        self.expected = expected
        expectedCode = code
    }

    init(
        _ id: String, _ sentence: String, source: String, _ behaviour: LabDNSBehaviour, _ expected: Outcome,
        code: String? = nil
    ) {
        self.init(id, sentence, source: source, [Server(behaviour)], expected, code: code)
    }

    /// The promise for exchanges over UDP and TCP alone.
    var overPlain: DNSScenario { with { $0.medium = .plain } }

    func with(_ change: (inout DNSScenario) -> Void) -> DNSScenario {
        var copy = self
        change(&copy)
        return copy
    }
}

extension DNSName {
    /// Returns a name of labels that are known to be good.
    static func lab(_ labels: String...) -> DNSName {
        guard let name = DNSName(labels: labels.map { Array($0.utf8) }) else { preconditionFailure("labels too long") }
        return name
    }
}
