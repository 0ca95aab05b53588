/// The peer on a port of the lab, as data.
public enum LabPeer: Hashable, Sendable {
    /// A TLS server that behaves.
    case tls(LabTLSRecipe)
    /// A TCP peer that plays a script instead of TLS.
    case script(LabScript)
    /// None: the port is reserved, so that no other process gets it, but it refuses connections.
    case dead
}
