/// A TLS library's bare client from C, with nothing of ours around it: the baseline for a probe's handshake.
///
/// It connects to a port of 127.0.0.1, does one full handshake, lets the library verify chain and name at the present
/// time, and closes. It has no deadline, so it is only for the caller's own servers.
public protocol HandshakeFloor: Sendable {
    /// The name of the transport over the same library.
    static var transport: String { get }

    /// Creates a client that trusts one CA.
    ///
    /// - Parameter anchor: the authority's certificate as DER.
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`, when the library can't be set up.
    init(anchor: [UInt8]) throws(HandshakeFailure)

    /// Makes one connection, and returns true if the handshake completed and the chain was accepted.
    ///
    /// - Parameters:
    ///   - port: the server's port on 127.0.0.1.
    ///   - name: the name to ask for and to verify.
    func handshake(port: UInt16, name: String) -> Bool
}
