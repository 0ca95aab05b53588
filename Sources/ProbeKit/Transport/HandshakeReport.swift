/// The facts of one handshake, complete or not, from one stack; policies judge them.
public struct HandshakeReport: Sendable {
    /// The address that was dialled, once there was a connection.
    public var peerAddress: String?
    /// The name sent as SNI, nil if none was sent.
    public var sniSent: String?
    /// The certificates as DER in the order the server sent them, the leaf first.
    public var chain: [[UInt8]] = []
    /// Each key of `chain` as the stack decodes it, in the same order.
    public var keys: [KeyReading] = []
    /// The negotiated version.
    public var version: TLSVersion?
    /// The negotiated cipher suite by its IANA name, like `TLS_AES_128_GCM_SHA256`.
    public var cipherSuite: String?
    /// The key exchange group by its IANA name, like `x25519` or `secp256r1`.
    public var group: String?
    /// The signature algorithm by which the server proved its key, by its IANA name, like `rsa_pss_rsae_sha256`; nil in
    /// a key exchange without a signature, before TLS 1.2, and where the stack does not report it.
    public var signatureAlgorithm: String?
    /// The chosen application protocol.
    public var alpn: String?
    /// The stapled OCSP response as DER.
    public var ocspStaple: [UInt8]?
    /// Signed certificate timestamps that came in the handshake, each as the bytes of RFC 6962 section 3.2.
    public var handshakeSCTs: [[UInt8]] = []
    /// True if the server asked for a client certificate; nil if the stack can't report it or did not get that far.
    public var clientCertificateRequested: Bool?
    /// True if the server asked for one after the handshake, false if it could have; nil if it was not allowed to (RFC 8446
    /// section 4.2.6), or the stack can't report it.
    public var clientCertificateRequestedLate: Bool?
    /// The issuers from which the server accepts a client certificate, each a distinguished name as DER, in the
    /// server's order; empty if it names none, or the stack does not report them.
    public var clientCertificateIssuers: [[UInt8]] = []
    /// True if the request's client certificate was sent, false if not, even where the server could not ask for it yet; nil if
    /// the request has none, or TLS did not begin.
    public var clientCertificateSent: Bool?
    /// True if the server's request for a client certificate was answered, with one or with an empty Certificate message; nil if
    /// the stack does not report it.
    package var certificateRequestAnswered: Bool?
    /// True if the server gave the session ticket that the offer asked for; nil if it asked for none.
    public var sessionTicket: Bool?
    /// The stack's own trust decision on the presented chain; nil if no chain was seen.
    public var nativeTrust: TrustReading?
    /// The result of the HTTP request; nil if none was approved.
    public var http: HTTPReport?
    /// The duration of each step.
    public var timings = HandshakeReport.Timings()
    /// True if a caller supplied the certificates, and no connection was made.
    public package(set) var isSupplied = false
    /// The reason why the handshake did not complete; nil if it did.
    public var failure: HandshakeFailure?

    /// True if the server proved that the leaf's key is its own and that nobody changed the handshake: the content of
    /// an unfinished handshake may come from anyone.
    public var isProven: Bool { failure?.isAfterHandshake ?? true }

    /// Creates an empty report, to be filled in as facts arrive.
    public init() {}

    /// Creates a report of a failed handshake.
    public init(failure: HandshakeFailure) {
        self.failure = failure
    }
}

extension HandshakeReport {
    /// The duration of each step of a handshake; nil for a step that was not reached.
    public struct Timings: Hashable, Sendable {
        /// From the call to a TCP connection, name lookup included.
        public var connect: Duration?
        /// From the connection to the go-ahead of the protocol that starts TLS; nil without one.
        public var dialogue: Duration?
        /// From there, or from the connection, to the end of the handshake.
        public var handshake: Duration?
        /// The stack's own trust evaluation.
        public var trust: Duration?

        /// Creates unknown timings.
        public init() {}
    }
}

/// A stack's own reading of one certificate's public key, compared with ours (decided: read-twice).
public enum KeyReading: Hashable, Sendable {
    /// The SubjectPublicKeyInfo as the stack encodes the key it would use, DER.
    case spki([UInt8])
    /// The stack could not read the certificate or its key, in its own words.
    case unreadable(String)
    /// The stack gave no answer, which means nothing for the key: its program ended or hung.
    case unanswered(String)
}
