/// One TLS stack, made to report facts.
///
/// A transport never sees a pin and never judges: a refused or broken handshake is a report with the facts so far. It
/// waits no longer than the request's deadline, reads no clock but the instants it is given, keeps neither sessions nor
/// verification results between calls, and may be called from many tasks at once.
public protocol Transport: Sendable {
    /// The transport's name, library and loaded version.
    var identity: BackendIdentity { get }

    /// The transport's capabilities; the prober rejects a request that needs more.
    var capabilities: Set<TransportCapability> { get }

    /// Connects, runs one full handshake, evaluates the stack's own trust, makes the request's HTTP exchange if there is one
    /// and it is approved, and closes. Without an exchange no application data is sent.
    func handshake(_ request: HandshakeRequest) async -> HandshakeReport

    /// Returns the stack's own trust decision on a chain, without a connection.
    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading

    /// The stack's own reading of a certificate's public key, compared with ours off the hot path.
    ///
    /// - Parameter certificate: DER of one certificate.
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading

    /// The library's own SHA-256, which certificates seen through this transport are digested with; nil where the transport
    /// brings none, and the program's own serves.
    var digester: (any Digester)? { get }
}

extension Transport {
    /// None of its own.
    public var digester: (any Digester)? { nil }
}
