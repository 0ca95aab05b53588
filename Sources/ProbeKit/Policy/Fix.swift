/// A suggested fix: a sentence for people, and in it the steps that a program can recognise and word in its own way.
public struct Fix: Hashable, Sendable {
    /// A step of a fix that a program can offer, with the values it needs.
    @nonexhaustive public enum Step: Hashable, Sendable {
        // Pins, and the facts that they are judged by.

        /// Pin a key or certificate at a position.
        case pin(Pin, PinPosition)
        /// Move a pin to its certificate's position; `instead` is the pin of a certificate at the old one.
        case movePin(Pin, from: PinPosition, to: PinPosition, instead: Pin? = nil)
        /// Search the validated path for pins, and not the chain as it was presented.
        case searchValidatedPath
        /// Ask the server for its time.
        case askServerTime

        // The server's certificates.

        /// Configure the server to send its intermediates.
        case serveIntermediates
        /// Configure the server to send only the intermediates of one path.
        case serveOnePath
        /// Renew the certificate.
        case renewCertificate
        /// Judge the new certificate from its file, before it is deployed.
        case checkBeforeDeployment

        // Anchors, chains and instants.

        /// Give the CA as an anchor.
        case giveAnchor
        /// Give a copy of the self-signed certificate as an anchor.
        case giveCopyAsAnchor
        /// Give the certificates of a chain.
        case giveChain
        /// Judge a signature at the instant of signing.
        case judgeAtSigning
        /// Judge as of now, or a file of the chain, where an instant is set.
        case judgeNow
        /// Name the file that keeps results between runs.
        case keepInFile

        // Servers, backends and the way to them.

        /// Give the address and port to dial.
        case dialAddress
        /// Dial addresses of either family.
        case dialAnyFamily
        /// Dial the name itself, and not the servers that its DNS records lead to.
        case askWithoutRecords
        /// Allow more time.
        case allowTime
        /// Probe fewer targets at once.
        case probeFewerAtOnce
        /// Offer an application protocol (ALPN) that the server speaks.
        case offerProtocol
        /// Start TLS within one of the protocols that the greeting fits.
        case speakStartTLS([StartTLS])
        /// Speak TLS from the first byte, and not after STARTTLS.
        case speakTLSAtOnce
        /// Give a client certificate and its key.
        case giveClientIdentity
        /// Check the proxy's URL.
        case checkProxy
        /// Give the credentials that the proxy takes.
        case giveProxyCredentials
        /// Give the CA of the proxy's certificate as an anchor for the proxy.
        case trustProxy
        /// Choose a backend that can do what is asked.
        case chooseBackend
        /// Compare with another backend.
        case compareBackends
        /// Choose a resolver that can do what is asked.
        case chooseResolver
        /// Ask the same question through another resolver.
        case askResolver
        /// Ask another DNS server.
        case askServer
        /// Give the CA of the DNS server's certificate as an anchor for that server.
        case trustServer

        // Files of pins, read and written.

        /// Convert the file to a profile.
        case convertToProfile
        /// Choose a kind of pin that is made of a key: SPKI or raw key.
        case chooseKeyKind
        /// Name the kind of the pins when the file is read back.
        case readAsKind(PinKind)
        /// Choose one position to write.
        case choosePosition
        /// Name the position of the pins when the file is read back.
        case readAtPosition(PinPosition)
        /// Choose one host to write.
        case chooseHost
        /// Name the host whose pins are meant.
        case nameHost(String)
        /// Name the hosts to write the pins for.
        case nameHosts
        /// Name the host of the pins when the file is read back.
        case readForHost(String)

        // Root stores.

        /// Choose one of several root stores by a part of its path.
        case chooseStoreByPath
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
        case .chooseStoreByPath: "choose one by a part of its path"
        }
    }
}
