/// What a TLS server of the lab does after the handshake, as data.
public enum LabService: Hashable, Sendable {
    /// It reads until the client closes, and says nothing.
    case sink
    /// It answers HTTP/2 where ALPN agrees on it, else HTTP/1.1.
    case http(LabHTTPRecipe)
    /// It plays a script inside TLS.
    case script(LabScript)
    /// It says these bytes below TLS, in the middle of its records, when the client has said something inside it.
    case plaintext([UInt8])
}
