import ProbeKit
import ProbeNet

/// The transport's context, made at its first handshake: a program that uses other backends, or none, need not wait for it.
struct NIOSSLFirstUse: Sendable {
    private let made = Once<BoringSSLContext>()

    /// Returns the one context of all copies of this. Where it could not be made, the next call tries again.
    ///
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`.
    func context() throws(HandshakeFailure) -> BoringSSLContext {
        do throws(BoringSSLError) {
            return try made.value { () throws(BoringSSLError) in try BoringSSLContext() }
        } catch {
            throw error.backendFailure
        }
    }
}
