package import ProbeKit

/// An error that a library of OpenSSL's family put into its queue of errors: the code is the first error's packed one, as the
/// library prints it, and nil if the queue was empty.
package protocol QueuedError: LibraryError {
    /// The peer's alert, if it was one.
    var alert: HandshakeFailure.Alert? { get }
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
}
