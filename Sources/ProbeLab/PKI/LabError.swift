public import ProbeKit

/// The lab was asked for something it does not have.
public enum LabError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no embedded RSA key with this kind and label.
    case noSuchKey(LabKeyID)
    /// A key of this kind can't make a signature of this scheme.
    case cannotSign(LabKey.Kind, LabSignature)
    /// A key of this kind has no such encoding.
    case cannotEncode(LabKey.Kind, LabKeyEncoding)
    /// Something the lab made itself can't be read back.
    case unreadable(String)
    /// The server could not be started.
    case cannotServe(String)
    /// This machine does not have the address that a server is to listen on.
    case noSuchAddress(IPAddress)

    /// A one-sentence message.
    public var description: String {
        switch self {
        case .noSuchKey(let id): "there is no embedded \(id.kind.rawValue) key labelled '\(id.label)'"
        case .cannotSign(let kind, let scheme): "a \(kind.rawValue) key can't sign with \(scheme.rawValue)"
        case .cannotEncode(let kind, let encoding): "a \(kind.rawValue) key has no encoding '\(encoding.rawValue)'"
        case .unreadable(let reason): reason
        case .cannotServe(let reason): "the server could not be started: \(reason)"
        case .noSuchAddress(let address): "this machine has no address \(address)"
        }
    }
}
