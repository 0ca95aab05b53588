/// The behaviour of the lab's TLS server after the handshake, as data.
public enum LabService: Hashable, Sendable {
    /// It reads until the client closes, and sends nothing.
    case sink
    /// It answers HTTP/2 where ALPN agrees on it, else HTTP/1.1.
    case http(LabHTTPRecipe)
    /// It plays a script inside TLS.
    case script(LabScript)
    /// It sends these bytes below TLS, in the middle of its records, after the client's first data inside TLS.
    case plaintext([UInt8])
}
