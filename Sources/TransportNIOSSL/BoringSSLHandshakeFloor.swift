import CProbeBoringSSL
public import ProbeKit

/// BoringSSL's `SSL_connect` on a blocking socket, with `SSL_VERIFY_PEER`.
///
/// `@unchecked Sendable`: the context is configured in `init` alone, and BoringSSL documents making connections of one
/// context from several threads as safe (ssl.h).
@safe public final class BoringSSLHandshakeFloor: HandshakeFloor, @unchecked Sendable {
    private let context: OpaquePointer

    /// `nio`.
    public static let transport = "nio"

    /// Creates a client that trusts one CA.
    public init(anchor: [UInt8]) throws(HandshakeFailure) {
        guard let context = unsafe cprobe_boringssl_floor_context(anchor, anchor.count) else {
            throw HandshakeFailure(.backendError, "BoringSSL can't make a bare client")
        }
        unsafe self.context = context
    }

    deinit {
        unsafe cprobe_boringssl_floor_context_free(context)
    }

    /// Makes one connection.
    public func handshake(port: UInt16, name: String) -> Bool {
        unsafe cprobe_boringssl_floor_handshake(context, port, name) == 1
    }
}
