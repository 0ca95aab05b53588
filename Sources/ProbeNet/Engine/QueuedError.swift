package import ProbeKit

/// An error that a library of OpenSSL's family put into its queue of errors.
package protocol QueuedError: Error {
    /// The first error's packed code as the library prints it; nil if the queue was empty.
    var code: String? { get }
    /// The library's own words.
    var message: String { get }
    /// The peer's alert, if it was one.
    var alert: UInt8? { get }
    /// True if a message of the handshake was larger than the library was told to take.
    var isExcessive: Bool { get }
    /// The cause of a failed handshake, if the library has a reason of its own for it.
    var cause: HandshakeFailure.Cause? { get }
}

extension QueuedError {
    /// Returns the failure of a handshake that this error ended.
    ///
    /// - Parameter isReadingCertificates: true if the certificate message was next or was being read; the libraries do
    ///   not report which message is too large.
    package func handshakeFailure(isReadingCertificates: Bool) -> HandshakeFailure {
        if let alert {
            return .refused(alert: alert, message, nativeCode: code)
        }
        if isExcessive, isReadingCertificates {
            return .certificatesTooLarge(nativeCode: code)
        }
        return HandshakeFailure(.protocolError, message, nativeCode: code, cause: cause)
    }

    /// The failure of a backend that could not start.
    package var backendFailure: HandshakeFailure { HandshakeFailure(.backendError, message, nativeCode: code) }

    /// The failure of a request whose offer the library does not take.
    package var offerFailure: HandshakeFailure { .unsendableOffer(message, nativeCode: code) }

    /// The failure of a handshake whose client certificate the library does not take; nothing was sent.
    package var identityFailure: HandshakeFailure { .unusableIdentity(message, nativeCode: code) }

    /// The refusal of a chain that could not be judged for this error.
    package var refusal: TrustReading { .refused([.init(.other, message, nativeCode: code)]) }
}

/// A chain of which a library can read every certificate.
package struct ReadableChain<Certificate: Sendable>: Sendable {
    /// The server's certificate.
    package let leaf: Certificate
    /// All certificates, the leaf first.
    package let certificates: [Certificate]

    /// The refusal of a chain that is not one.
    package struct Refusal: Error {
        package let reading: TrustReading
    }

    /// Creates the chain of what a library read.
    package init(_ readings: [Result<Certificate, some QueuedError>]) throws(Refusal) {
        var certificates: [Certificate] = []
        for reading in readings {
            switch reading {
            case .success(let certificate): certificates.append(certificate)
            case .failure(let error):
                let depth = certificates.count
                throw Refusal(
                    reading: .refused([.init(.malformed, error.message, nativeCode: error.code, depth: depth)]))
            }
        }
        guard let leaf = certificates.first else {
            throw Refusal(reading: .refused([.init(.malformed, "no certificate was presented")]))
        }
        self.leaf = leaf
        self.certificates = certificates
    }

    /// Returns the decision on the chain of what a library read, which is refused if that is no chain.
    package static func judge<Failure: QueuedError>(
        _ readings: [Result<Certificate, Failure>],
        by decide: (ReadableChain<Certificate>) throws(Failure) -> TrustReading
    ) -> TrustReading {
        let chain: ReadableChain<Certificate>
        do throws(Refusal) { chain = try ReadableChain(readings) } catch { return error.reading }
        do throws(Failure) { return try decide(chain) } catch { return error.refusal }
    }
}
