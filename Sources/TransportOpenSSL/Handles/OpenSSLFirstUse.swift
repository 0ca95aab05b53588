import Synchronization

/// The transport's context, made at its first handshake: making one takes longer than a handshake, and a program that
/// uses other backends, or none, need not wait for it.
final class OpenSSLFirstUse: Sendable {
    private let made = Mutex<OpenSSLContext?>(nil)

    /// Returns the same context at every call; a failed attempt to make it is repeated.
    func context() throws(OpenSSLError) -> OpenSSLContext {
        try made.withLock { made throws(OpenSSLError) in
            if let context = made { return context }
            let context = try OpenSSLContext()
            made = context
            return context
        }
    }
}
