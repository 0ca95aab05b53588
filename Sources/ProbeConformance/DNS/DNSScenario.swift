public import FoundationEssentials
public import ProbeKit
public import ProbeLab

/// One promise about reading a model list over DNS, as data: a server, a question, and what has to come out.
///
/// The promise holds for every resolver alike; the few exemptions are listed by hand beside it.
public struct DNSScenario: Sendable, Identifiable, CustomStringConvertible {
    /// A server of the scenario.
    public struct Server: Sendable {
        /// What it answers.
        public let zone: LabDNSZone
        /// What it listens on.
        public let listening: LabDNSServer.Listening

        /// A server that does the same with every query.
        public init(_ behaviour: LabDNSBehaviour, listening: LabDNSServer.Listening = .both) {
            self.init(LabDNSZone(behaviour), listening: listening)
        }

        /// A server with a zone.
        public init(_ zone: LabDNSZone, listening: LabDNSServer.Listening = .both) {
            self.zone = zone
            self.listening = listening
        }
    }

    /// What carries the exchanges that a promise is about.
    public enum Medium: Sendable {
        /// Whatever the resolver asks over.
        case any
        /// UDP and TCP: datagrams may be forged or truncated, a stream of messages may hold several.
        case plain
        /// HTTPS, by one of its methods.
        case https(DoHServer.Method)
    }

    /// Stable, with slashes: `dns/lists/items`.
    public let id: String
    /// What is promised.
    public let sentence: String
    /// Where the promise comes from: an RFC section, a requirement, or a choice of ours, named as such.
    public let source: String
    /// The servers, in the order they are asked.
    public let servers: [Server]
    /// What the promise is about.
    public var medium = Medium.any
    /// How its servers do TLS, where they are asked over HTTPS.
    public var tls = LabTLSRecipe(.good)
    /// The EDNS size the query advertises.
    public var ednsSize: UInt16? = DNSQuery.defaultEDNSSize
    /// How often each server is asked.
    public var tries = 1
    /// What an answer needs to count.
    public var dnssec = DNSSECPolicy.off
    /// What validation starts from.
    public var anchors: [DNSAnchor] = []
    /// The instant at which signatures have to be valid.
    public var instant: Date?
    /// How long the whole query may take.
    public var timeout = Duration.seconds(2)
    /// The model that is looked for.
    public var model = "florida"
    /// How the strings of one record are read.
    public var strings = TXTStrings.joined
    /// The outcome.
    public let expected: Outcome
    /// The code of a `dns-indeterminate` outcome; nil if any will do.
    public let expectedCode: String?
    /// How long it may take from query to outcome, where the time is the promise.
    public var duration: ClosedRange<Duration>?
    /// Which resolvers keep the promise differently, by the name in their identity.
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
    /// A name of labels that are known to be good.
    static func lab(_ labels: String...) -> DNSName {
        guard let name = DNSName(labels: labels.map { Array($0.utf8) }) else { preconditionFailure("labels too long") }
        return name
    }
}
