public import ProbeKit

/// The result of matching one certificate of many against an index of pins.
public enum PinMatch: Hashable, Sendable {
    /// The certificate has a pin of this kind.
    case pinned(PinKind)
    /// It has none.
    case notPinned
    /// The bytes are not a certificate.
    case unreadable
}
