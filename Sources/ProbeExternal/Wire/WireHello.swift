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
        capabilities = try container.decodeIfPresent([String].self, forKey: .capabilities) ?? []
    }

    /// Returns the same, if it matches the started program.
    func checked(kind: ProgramKind) throws -> WireHelloReply {
        guard self.kind == kind else { throw WireError("it is not a \(kind.rawValue)") }
        guard [name, library, version].allSatisfy({ !$0.isEmpty && $0.utf8.count <= 200 }), capabilities.count <= 100
        else { throw WireError("its name, library or version is empty or too long") }
        return self
    }

    var identity: BackendIdentity {
        BackendIdentity(
            name: name, library: PrintableText.escape(library), version: PrintableText.escape(version))
    }
}
