/// A TLS library's bare client from C, with nothing of ours around it: what a probe's handshake is measured against.
///
/// It connects to a port of 127.0.0.1, does one full handshake, lets the library verify chain and name at the present time,
/// and closes. It waits as long as the server makes it, so it is for servers that one has started oneself.
public protocol HandshakeFloor: Sendable {
    /// The name of the transport over the same library.
    static var transport: String { get }

    /// A client that trusts one authority.
    ///
    /// - Parameter anchor: the authority's certificate as DER.
    /// - Throws: ``HandshakeFailure`` with the code `backend-error`, when the library can't be set up.
    init(anchor: [UInt8]) throws(HandshakeFailure)

    /// One connection from beginning to end; whether the handshake was completed and the chain accepted.
    ///
    /// - Parameters:
    ///   - port: where the server listens on 127.0.0.1.
    ///   - name: the name to ask for and to verify.
    func handshake(port: UInt16, name: String) -> Bool
}
