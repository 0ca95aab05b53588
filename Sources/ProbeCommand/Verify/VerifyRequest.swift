import ProbeKit
import ProbePlatform
import ProbeTrust

/// One question of a batch, as written on a line.
struct VerifyRequest: Decodable {
    let id: String
    let leaf: String
    var intermediates: [String]?
    let anchors: [String]
    var name: String?
    var at: String?
    var purpose: TrustQuestion.Purpose?
    var maxDepth: Int?
    /// Certificate revocation lists, as PEM or base64.
    var crls: [String]?
    /// The acceptable policies in dotted form; any where left out.
    var policies: [String]?
    var requireExplicitPolicy: Bool?
    var inhibitAnyPolicy: Bool?
    var inhibitPolicyMapping: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, leaf, intermediates, anchors, name, at, purpose, maxDepth, crls, policies, requireExplicitPolicy
        case inhibitAnyPolicy, inhibitPolicyMapping
    }

    /// A question with the first of the members that none has: what it asks for would not be asked.
    struct Line: Decodable {
        let request: VerifyRequest
        let unknown: String?

        private struct Member: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            request = try VerifyRequest(from: decoder)
            let members = try decoder.container(keyedBy: Member.self).allKeys.map(\.stringValue)
            unknown = members.filter { CodingKeys(rawValue: $0) == nil }.min()
        }
    }

    /// The longest line that is read, in bytes.
    static let maximumLine = 16 << 20

    /// Returns the question, with an instant for lines that give none.
    ///
    /// - Throws: ``InputError`` naming the member that can't be used.
    func question(now: Date) throws(InputError) -> TrustQuestion {
        var chain = [try certificate(leaf, "leaf")]
        for text in intermediates ?? [] { chain.append(try certificate(text, "intermediates")) }
        var trusted: [[UInt8]] = []
        for text in anchors { trusted.append(try certificate(text, "anchors")) }
        if let maxDepth, maxDepth < 0 {
            throw InputError("maxDepth \(maxDepth) is negative", remedy: "give 0 or more, or null", source: .file)
        }
        var lists: [[UInt8]] = []
        for text in crls ?? [] { lists.append(try revocationList(text)) }
        return TrustQuestion(
            chain: chain, anchors: TrustAnchors(name: id, certificates: trusted, revocationLists: lists),
            name: try name.map { text throws(InputError) in try Self.serverName(text) },
            instant: try at.map { text throws(InputError) in try RFC3339.parse(text) } ?? now,
            purpose: purpose ?? .server,
            maxDepth: maxDepth, policies: try policyInputs())
    }

    private func policyInputs() throws(InputError) -> TrustQuestion.PolicyInputs {
        var acceptable: Set<PolicyIdentifier>?
        if let policies {
            guard !policies.isEmpty else {
                throw InputError("policies is empty", remedy: "name a policy, or leave policies out", source: .file)
            }
            var read: Set<PolicyIdentifier> = []
            for text in policies {
                guard let policy = PolicyIdentifier(text) else {
                    throw InputError(
                        "policies has '\(text)', which is not an object identifier",
                        remedy: "write it like 2.23.140.1.2.1", source: .file)
                }
                read.insert(policy)
            }
            acceptable = read
        }
        return TrustQuestion.PolicyInputs(
            acceptable: acceptable, requiresExplicitPolicy: requireExplicitPolicy ?? false,
            inhibitsAnyPolicy: inhibitAnyPolicy ?? false, inhibitsMapping: inhibitPolicyMapping ?? false)
    }

    /// Returns a revocation list as PEM, or its DER as base64.
    private func revocationList(_ text: String) throws(InputError) -> [UInt8] {
        if text.contains("-----BEGIN") {
            let found = try RevocationListFile.lists(in: Array(text.utf8), from: "crls")
            guard found.count == 1, let der = found.first else {
                throw InputError(
                    "crls has \(found.count) lists in one string", remedy: "give one a string", source: .file)
            }
            return der
        }
        guard let der = Base64.decode(text), !der.isEmpty else {
            throw InputError(
                "crls is neither PEM nor base64", remedy: "give PEM, or DER as standard base64", source: .file)
        }
        return der
    }

    /// Reads `dns:NAME`, `ip:ADDRESS` or a plain name or address.
    static func serverName(_ text: String) throws(InputError) -> ServerName {
        if text.hasPrefix("ip:") {
            guard let address = IPAddress(String(text.dropFirst(3))) else {
                throw InputError("'\(text)' is not an address", remedy: "write ip:192.0.2.1 or ip:2001:db8::1")
            }
            return .ip(address)
        }
        return try ServerName(text.hasPrefix("dns:") ? String(text.dropFirst(4)) : text)
    }

    /// Reads a certificate as PEM, or its DER as base64. The verifiers decide whether the bytes are a certificate.
    private func certificate(_ text: String, _ member: String) throws(InputError) -> [UInt8] {
        if text.contains("-----BEGIN") {
            let found = try CertificateFile.certificates(in: Array(text.utf8), from: member)
            guard found.count == 1, let der = found.first else {
                throw InputError(
                    "\(member) has \(found.count) certificates in one string", remedy: "give one a string",
                    source: .file)
            }
            return der
        }
        guard let der = Base64.decode(text), !der.isEmpty else {
            throw InputError(
                "\(member) is neither PEM nor base64", remedy: "give PEM, or DER as standard base64", source: .file)
        }
        return der
    }
}
