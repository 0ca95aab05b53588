/// A suggested fix: a sentence for people, and in it the steps that a program can recognise and word in its own way.
public struct Fix: Hashable, Sendable {
    /// A step of a fix that a program can offer, with the values it needs.
    @nonexhaustive public enum Step: Hashable, Sendable {
        // What is pinned.
        case pin(Pin, PinPosition)
        case movePin(Pin, from: PinPosition, to: PinPosition, instead: Pin? = nil)
        case searchValidatedPath
        case askServerTime
        // What the server sends.
        case serveIntermediates
        case serveOnePath
        case renewCertificate
        case checkBeforeDeployment
        // What the probe is given.
        case giveAnchor
        case giveCopyAsAnchor
        case giveChain
        case judgeAtSigning
        case judgeNow
        case keepInFile
        // Whom it asks, and how.
        case dialAddress
        case dialAnyFamily
        case askWithoutRecords
        case allowTime
        case probeFewerAtOnce
        case offerProtocol
        case speakStartTLS([StartTLS])
        case speakTLSAtOnce
        case giveClientIdentity
        case checkProxy
        case giveProxyCredentials
        case trustProxy
        case chooseBackend
        case compareBackends
        case chooseResolver
        case askResolver
        case askServer
        case trustServer
        // How a file of pins is read and written.
        case convertToProfile
        case chooseKeyKind
        case readAsKind(PinKind)
        case choosePosition
        case readAtPosition(PinPosition)
        case chooseHost
        case nameHost(String)
        case nameHosts
        case readForHost(String)
    }

    fileprivate enum Part: Hashable {
        case text(String)
        case step(Step)
    }

    fileprivate var parts: [Part]

    /// Creates a fix of words alone.
    public init(_ text: String) {
        parts = text.isEmpty ? [] : [.text(text)]
    }

    /// The steps in the order of the sentence.
    public var steps: [Step] {
        parts.compactMap { if case .step(let step) = $0 { step } else { nil } }
    }

    /// True if there is nothing to change.
    public var isEmpty: Bool { parts.isEmpty }

    /// Returns the same fix, with other words for the steps that have some.
    package func worded(_ words: Step.Words) -> Fix {
        var fix = self
        fix.parts = parts.map { part -> Part in
            if case .step(let step) = part, let text = words.of(step) { .text(text) } else { part }
        }
        return fix
    }
}

extension Fix: CustomStringConvertible {
    /// The sentence, with each step in the words of the program (``Step/words``).
    public var description: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .step(let step): step.description
            }
        }.joined()
    }
}

extension Fix: ExpressibleByStringInterpolation {
    /// The sentence as it is written in code.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var parts: [Part] = []

        /// Creates an empty sentence.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds words.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.text(literal)) }
        }

        /// Adds a step.
        public mutating func appendInterpolation(_ step: Step) { parts.append(.step(step)) }

        /// Adds the words and steps of another fix.
        public mutating func appendInterpolation(_ fix: Fix) { parts += fix.parts }

        /// Adds a value as text.
        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendLiteral(value.description)
        }
    }

    /// Creates a fix of words alone.
    public init(stringLiteral value: String) { self.init(value) }

    /// Creates a fix of words and steps.
    public init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }
}

extension Fix.Step: CustomStringConvertible {
    /// The words of a program. A task-local function would do, but the optimizer breaks those.
    public struct Words: Sendable {
        fileprivate let of: @Sendable (Fix.Step) -> String?

        /// Creates the words from a function that returns nil for a step whose plain words will do.
        public init(_ words: @escaping @Sendable (Fix.Step) -> String?) { of = words }
    }

    /// The words that the running program has for steps that it offers in a way of its own.
    @TaskLocal public static var words = Words { _ in nil }

    /// The step in the program's words, else in plain ones.
    public var description: String { Self.words.of(self) ?? plain }

    /// Returns the names of protocols as alternatives.
    package static func alternatives(_ protocols: [StartTLS]) -> String {
        protocols.map(\.rawValue).joined(separator: " or ")
    }

    private var plain: String {
        switch self {
        case .pin(let pin, let position), .movePin(let pin, from: _, to: let position, instead: _):
            "pin \(pin.kind.rawValue)@\(position):sha256:\(pin.digest.base64)"
        case .searchValidatedPath: "look for it there"
        case .askServerTime: "have the server asked for its time"
        case .serveIntermediates: "configure the server to send its intermediates"
        case .serveOnePath: "configure the server to send only the intermediates of one path"
        case .renewCertificate: "renew the certificate"
        case .checkBeforeDeployment: "check the new one before it is deployed"
        case .giveAnchor: "give the CA as an anchor"
        case .giveCopyAsAnchor: "give your own copy of this one as an anchor"
        case .giveChain: "give its certificates"
        case .judgeAtSigning: "judge at the instant of signing"
        case .judgeNow: "judge as of now, or a file of the chain"
        case .keepInFile: "name a file"
        case .dialAddress: "say where to dial"
        case .dialAnyFamily: "dial the other"
        case .askWithoutRecords: "dial the name itself"
        case .allowTime: "allow more time"
        case .probeFewerAtOnce: "fewer targets at once"
        case .offerProtocol: "offer a protocol that the server speaks"
        case .speakStartTLS(let known): "start TLS with \(Self.alternatives(known))"
        case .speakTLSAtOnce: "probe the port as one that speaks TLS from its first byte"
        case .giveClientIdentity: "give a client certificate"
        case .checkProxy: "check the proxy's URL"
        case .giveProxyCredentials: "give the credentials that the proxy takes"
        case .trustProxy: "give its CA as an anchor for the proxy"
        case .chooseBackend: "choose another backend"
        case .compareBackends: "compare with another backend"
        case .chooseResolver: "choose another resolver"
        case .askResolver: "ask through another resolver"
        case .askServer: "another server"
        case .trustServer: "give its CA as an anchor for the DNS server"
        case .convertToProfile: "make it a profile"
        case .chooseKeyKind: "choose the kind spki or rawkey"
        case .readAsKind(let kind): "read it back as \(kind.rawValue)"
        case .choosePosition: "choose a position"
        case .readAtPosition(let position): "read them back at the position \(position)"
        case .chooseHost: "choose one host"
        case .nameHost(let host): "name \(host) as a host"
        case .nameHosts: "name the hosts to write them for"
        case .readForHost(let host): "read it back for the host \(host)"
        }
    }
}
