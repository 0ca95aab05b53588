package import ProbeKit
import ProbeNet

/// A backend's context, made at its first handshake: making one takes longer than a handshake, and a program that
/// uses other backends, or none, need not wait for it.
package struct OpenSSLFirstUse: Sendable {
    private let made = Once<OpenSSLContext>()

    /// Creates a holder without a context; its copies share the one that is made.
    package init() {}

    /// Returns the same context at every call; a failed attempt to make it is repeated.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`.
    package func context() throws(HandshakeFailure) -> OpenSSLContext {
        if let absence = OpenSSLLibrary.absence { throw absence.handshakeFailure }
        do throws(OpenSSLError) {
            return try made.value { () throws(OpenSSLError) in try OpenSSLContext() }
        } catch {
            throw error.backendFailure
        }
    }
}
