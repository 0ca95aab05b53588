public import ProbeKit

/// What an index of pins says of one certificate of many.
public enum PinMatch: Hashable, Sendable {
    /// The certificate has a pin of this kind.
    case pinned(PinKind)
    /// It has none.
    case notPinned
    /// The bytes are no certificate.
    case unreadable
}
