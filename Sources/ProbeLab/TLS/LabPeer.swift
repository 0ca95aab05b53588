/// What listens on a port of the lab, as data.
public enum LabPeer: Hashable, Sendable {
    /// A TLS server that behaves.
    case tls(LabTLSRecipe)
    /// A TCP peer that plays a script instead of speaking TLS.
    case script(LabScript)
    /// Nobody: the port is taken, so that no one else gets it, but it refuses connections.
    case dead
}
