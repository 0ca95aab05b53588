import CProbeOpenSSL
public import ProbeKit
import ProbeNet
import ProbeOpenSSL

/// `SSL_connect` on a blocking socket, with `SSL_VERIFY_PEER`.
///
/// `@unchecked Sendable`: the context is configured in `init` alone, and OpenSSL documents making connections of one
/// context from several threads as safe (openssl-threads(7)).
@safe public final class OpenSSLHandshakeFloor: HandshakeFloor, @unchecked Sendable {
    private let context: OpaquePointer

    /// `openssl`.
    public static let transport = "openssl"

    /// Creates a client that trusts one CA.
    public init(anchor: [UInt8]) throws(HandshakeFailure) {
        if let absence = OpenSSLLibrary.absence { throw absence.handshakeFailure }
        OpenSSLError.clear()
        guard let context = unsafe cprobe_floor_context(anchor, anchor.count) else {
            throw OpenSSLError.take("making a bare client").backendFailure
        }
        unsafe self.context = context
    }

    deinit {
        unsafe SSL_CTX_free(context)
    }

    /// Makes one connection.
    public func handshake(port: UInt16, name: String) -> Bool {
        unsafe cprobe_floor_handshake(context, port, name) == 1
    }
}
