public import ProbeKit

/// The part of a name's addresses that a check is about, where each part has a verdict of its own.
public enum AddressPart: Hashable, Sendable, CustomStringConvertible {
    /// One address, with its port if that is not the target's: records may lead to several at one address.
    case address(IPAddress, port: UInt16? = nil)
    /// The addresses of one family, in turn until one answers.
    case family(IPAddress.Family)

    /// The words that follow a target or a backend.
    public var description: String {
        switch self {
        case .address(let address, port: nil): "at \(address)"
        case .address(let address, port: let port?): "at \(Endpoint(host: .ip(address), port: port))"
        case .family(let family): "over \(family.rawValue)"
        }
    }
}

extension Check {
    /// Returns the check of a part of the target's addresses.
    ///
    /// - Parameter targets: the target and its alternates, each dialled at an address of the part; not empty.
    public func about(_ part: AddressPart, dialling targets: [Target]) -> Check {
        guard let first = targets.first else { return self }
        var check = self.aimed(at: first)
        check.alternates = Array(targets.dropFirst())
        check.part = part
        return check
    }

    /// Returns the check of a part that has no address: nothing is dialled, and each handshake fails with this.
    public func about(_ part: AddressPart, failing failure: HandshakeFailure) -> Check {
        var check = aimed(at: target)
        check.part = part
        return check.taking(.absent(failure))
    }

    /// The target, with the part that the check is about.
    public var subject: String { named.description + (part.map { " \($0)" } ?? "") }
}
