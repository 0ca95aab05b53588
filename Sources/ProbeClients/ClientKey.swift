import ProbeYAML

/// The keys of a client in a file, in the order in which errors list them.
enum ClientKey: String, CaseIterable {
    case extends, released, library, program, agreement, roots
    case sni, versions, cipherSuites, groups, signatureAlgorithms, alpn
    case paths, issuers, anchors, anchorValidity, commonName, sha1, minimumRSABits, lastSecond, lifetimes
    case nameConstraints, keyIdentifiers, purposes, serverPurpose, purposePlaces, leafUsage, roles, certificatePolicies
    case anchorExtensions, addressNames, unknownExtensions, staples, missingIssuers, policies, unreadPins, sources

    /// The source that the keys of a ClientHello have in common.
    static let offer = "offer"

    /// The name of the source that the key has to have; nil for one that needs none. A new key is a fact until it is listed
    /// here.
    var source: String? {
        switch self {
        case .extends, .library, .program, .sources: nil
        case .sni, .versions, .cipherSuites, .groups, .signatureAlgorithms, .alpn: Self.offer
        default: rawValue
        }
    }

    /// True if a client with another value is another library than the one it extends. A new key is of the library until it
    /// is listed here.
    var isOfLibrary: Bool {
        switch self {
        case .extends, .released, .library, .program, .agreement, .roots, .policies, .unreadPins, .sources: false
        default: true
        }
    }
}

extension YAMLFields {
    /// The field of that key; nil if it is absent.
    subscript(key: ClientKey) -> YAMLNode? { self[key.rawValue] }
}
