import ProbeKit
import ProbePlatform
import ProbeTrust

/// One question of a batch, as it stands on a line.
struct VerifyRequest: Codable {
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

    /// Creates the line of a question.
    init(_ id: String, _ question: TrustQuestion) {
        self.id = id
        leaf = Base64.encode(question.chain.first ?? [])
        intermediates = question.chain.dropFirst().map { Base64.encode($0) }
        anchors = question.anchors.certificates.map { Base64.encode($0) }
        name = question.name?.wireText
        at = RFC3339.format(question.instant)
        purpose = question.purpose
        maxDepth = question.maxDepth
        let lists = question.anchors.revocationLists
        crls = lists.isEmpty ? nil : lists.map { Base64.encode($0) }
        policies = question.policies.acceptable.map { $0.compactMap(\.dotted).sorted() }
        // A member that a line lacks is not asked for.
        requireExplicitPolicy = question.policies.requiresExplicitPolicy ? true : nil
        inhibitAnyPolicy = question.policies.inhibitsAnyPolicy ? true : nil
        inhibitPolicyMapping = question.policies.inhibitsMapping ? true : nil
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
            name: try name.map { text throws(InputError) in try ServerName.read(wireText: text) },
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

    /// Reads a certificate as PEM, or its DER as base64. The verifiers decide whether the bytes are a certificate.
    private func certificate(_ text: String, _ member: String) throws(InputError) -> [UInt8] {
        try der(text, member, of: "certificates") { bytes throws(InputError) in
            try CertificateFile.certificates(in: bytes, from: member)
        }
    }

    /// Reads a revocation list likewise.
    private func revocationList(_ text: String) throws(InputError) -> [UInt8] {
        try der(text, "crls", of: "lists") { bytes throws(InputError) in
            try RevocationListFile.lists(in: bytes, from: "crls")
        }
    }

    private func der(
        _ text: String, _ member: String, of things: String,
        blocks: (_ pem: [UInt8]) throws(InputError) -> [[UInt8]]
    ) throws(InputError) -> [UInt8] {
        if text.contains("-----BEGIN") {
            let found = try blocks(Array(text.utf8))
            guard found.count == 1, let der = found.first else {
                throw InputError(
                    "\(member) has \(found.count) \(things) in one string", remedy: "give one a string", source: .file)
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
