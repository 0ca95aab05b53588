package import ProbeKit

/// A chain as OpenSSL reads it: each certificate, or the reason why it is malformed.
package struct OpenSSLCertificates: Sendable {
    /// The certificates' bytes, in the order they were presented.
    package let presented: [[UInt8]]
    /// The certificates in the same order.
    package let readings: [Result<OpenSSLCertificate, OpenSSLError>]

    package init(_ chain: [[UInt8]]) {
        presented = chain
        readings = chain.map(Self.read)
    }

    /// Creates the chain of a handshake; nil before there is one, and where OpenSSL parsed another number of certificates than
    /// the server's message has.
    init?(of connection: OpenSSLConnection) {
        let count = connection.withFacts { $0.certificateCount }
        guard count > 0 else {
            guard let unparsed = connection.presented.unparsed else { return nil }
            self.init(unparsed)
            return
        }
        let parsed = connection.withFacts { $0.certificates(connection.presented) }
        guard let parsed else { return nil }
        self.init(parsed: parsed)
    }

    /// Creates a chain that OpenSSL has parsed already; parsing it again costs as much as half of a handshake.
    init(parsed chain: [OpenSSLCertificate]) {
        presented = chain.map(\.der)
        readings = chain.map { .success($0) }
    }

    /// Each key as OpenSSL encodes it.
    package var keys: [KeyReading] { readings.map(Self.key) }

    /// Returns the key of a certificate as OpenSSL encodes it.
    package static func readKey(of certificate: [UInt8]) -> KeyReading { key(read(certificate)) }

    private static func read(_ der: [UInt8]) -> Result<OpenSSLCertificate, OpenSSLError> {
        Result { () throws(OpenSSLError) in try OpenSSLCertificate(der: der) }
    }

    private static func key(_ reading: Result<OpenSSLCertificate, OpenSSLError>) -> KeyReading {
        do throws(OpenSSLError) {
            return try reading.get().keyReading
        } catch {
            return .unreadable(error.message)
        }
    }
}
