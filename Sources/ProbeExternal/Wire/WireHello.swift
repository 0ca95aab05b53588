import ProbeKit

/// The first request.
struct WireHello: Encodable {
    /// The version of the protocol.
    static let version = 1

    let `protocol` = WireHello.version
    let kind: ProgramKind
}

/// The reply to it, with the program's identity.
package struct WireHelloReply: Decodable {
    let `protocol`: Int
    let kind: ProgramKind?
    let name: String
    let library: String
    let version: String
    let capabilities: [String]

    /// Creates a substitute for the hello of a program that sends none.
    ///
    /// - Parameter capabilities: the assumed capabilities, so that it is used.
    init(ofUnusable name: String, kind: ProgramKind, capabilities: [String]) {
        `protocol` = WireHello.version
        self.kind = kind
        self.name = name
        library = "unknown"
        version = "unknown"
        self.capabilities = capabilities
    }

    /// Returns true if it is the same backend, in whatever order it lists its capabilities.
    func isSame(as other: WireHelloReply) -> Bool {
        (name, library, version) == (other.name, other.library, other.version)
            && Set(capabilities) == Set(other.capabilities)
    }

    private enum CodingKeys: CodingKey {
        case `protocol`, kind, name, library, version, capabilities
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        `protocol` = try container.decode(Int.self, forKey: .protocol)
        // The other fields of another version are not for us to read.
        guard `protocol` == WireHello.version else {
            throw ProgramFault(
                .wrongVersion, "it speaks version \(`protocol`) of the protocol, spoken here is \(WireHello.version)")
        }
        kind = try container.decodeIfPresent(ProgramKind.self, forKey: .kind)
        name = try container.decode(String.self, forKey: .name)
        library = try container.decode(String.self, forKey: .library)
        version = try container.decode(String.self, forKey: .version)
        capabilities = (try container.decodeIfPresent([String].self, forKey: .capabilities) ?? []).map(WireText.name)
    }

    /// Returns the same, if it matches the started program.
    func checked(kind: ProgramKind) throws -> WireHelloReply {
        guard self.kind == kind else { throw WireError("it is not a \(kind.rawValue)") }
        for (member, text) in [("name", name), ("library", library), ("version", version)] {
            guard (1...ProgramLimits.nameBytes).contains(text.utf8.count) else {
                throw WireError(
                    "its \(member) has \(text.utf8.count) bytes, and may have 1 to \(ProgramLimits.nameBytes)")
            }
        }
        guard capabilities.count <= ProgramLimits.capabilities else {
            throw WireError(
                "it has \(capabilities.count) capabilities, and may have \(ProgramLimits.capabilities)")
        }
        return self
    }

    var identity: BackendIdentity {
        BackendIdentity(
            name: name, library: WireText.name(library), version: WireText.name(version))
    }
}

/// The kind of backend that a program implements.
public enum ProgramKind: String, Sendable, Codable, CaseIterable {
    /// A TLS stack.
    case transport
    /// A DNS stack.
    case resolver

    /// The prefix of such programs' names.
    var prefix: String { "probe-\(rawValue)-" }
}
