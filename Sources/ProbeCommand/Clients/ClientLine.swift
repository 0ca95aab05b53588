import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeTrust

/// The facts about a client, as JSON in the schema `probe-clients/1` and as text.
struct ClientLine: Encodable {
    struct Offer: Encodable {
        @Always var versions: [String]?
        @Always var cipherSuites: [String]?
        @Always var groups: [String]?
        @Always var signatureAlgorithms: [String]?
        @Always var alpn: [String]?
        let sni: Bool
        /// The entries of the offer that no stack here can send.
        let leftOut: [String]
    }

    struct Lifetime: Encodable {
        let since: String
        let days: Int
        let slack: Int
    }

    struct Verifier: Encodable {
        let paths: String
        let issuers: String
        let anchors: String
        let anchorValidity: Bool
        let commonName: Bool
        let sha1: Bool
        let minimumRSABits: Int
        let lastSecond: Bool
        let lifetimes: [Lifetime]
        let nameConstraints: Bool
        let keyIdentifiers: Bool
        let purposes: String
        @Always var serverPurpose: String?
        let purposePlaces: String
        let leafUsage: String
        let roles: Bool
        let certificatePolicies: Bool
        let anchorExtensions: Bool
        let addressNames: Bool
        let unknownExtensions: [String]
        let staples: Bool
        let missingIssuers: String
    }

    let schema = "probe-clients/1"
    let name: String
    let family: String
    let released: String
    let library: String
    @Always var roots: String?
    let emulated = true
    @Always var program: String?
    @Always var agreement: Double?
    let approximate: Bool
    let offer: Offer
    let verifier: Verifier
    let policies: [String]
    let unreadPins: [String]
    let sources: [String: String]

    init(_ client: Client) {
        name = client.name
        family = client.family
        released = client.released
        library = client.library
        _program = Always(wrappedValue: client.program)
        _agreement = Always(wrappedValue: client.agreement)
        approximate = client.isApproximate
        _roots = Always(wrappedValue: client.roots ?? client.rootsFile)
        offer = Offer(
            versions: client.offer.versions, cipherSuites: client.offer.cipherSuites, groups: client.offer.groups,
            signatureAlgorithms: client.offer.signatureAlgorithms, alpn: client.offer.alpn, sni: client.sendsName,
            leftOut: ReducedOffer(client.offer).leftOut)
        let habits = client.habits
        verifier = Verifier(
            paths: habits.paths.rawValue, issuers: habits.issuers.rawValue, anchors: habits.anchors.rawValue,
            anchorValidity: habits.judgesAnchorValidity,
            commonName: habits.acceptsCommonName, sha1: habits.acceptsSHA1, minimumRSABits: habits.minimumRSABits,
            lastSecond: habits.includesLastSecond,
            lifetimes: habits.lifetimes.map {
                Lifetime(since: Self.day(of: $0.since), days: $0.days, slack: $0.slack)
            },
            nameConstraints: habits.judgesNameConstraints, keyIdentifiers: habits.requiresKeyIdentifiers,
            purposes: habits.purposes.rawValue, serverPurpose: habits.serverPurposeSince.map(Self.day),
            purposePlaces: habits.purposePlaces.rawValue,
            leafUsage: habits.leafUsage.rawValue, roles: habits.judgesRoles, certificatePolicies: habits.judgesPolicies,
            anchorExtensions: habits.readsAnchors, addressNames: habits.acceptsAddresses,
            unknownExtensions: habits.unknownExtensions.map(\.rawValue).sorted(),
            staples: client.judgesStaples, missingIssuers: client.missingIssuers.rawValue)
        policies = client.policies
        unreadPins = client.unreadPins.map(\.rawValue)
        sources = client.sources
    }

    /// Returns the day of a second since 1970.
    private static func day(of second: Int) -> String {
        String(RFC3339.format(Date(timeIntervalSince1970: Double(second))).prefix(10))
    }

    var text: String {
        var facts: [(String, String, source: String)] = [
            ("released", released, "released")
        ]
        if let program { facts.append(("program", "\(program), which judges instead where it is given", "")) }
        if let agreement {
            facts.append(("agreement", "\(agreement) % of chains, as the client itself judges them", "agreement"))
        }
        facts += [
            ("roots", roots ?? "none of its own: Mozilla's of the day that is judged", "roots")
        ]
        func add(_ key: String, _ list: [String]?) {
            guard let list else { return }
            facts.append((key, list.isEmpty ? "none" : list.joined(separator: " "), "offer"))
        }
        add("versions", offer.versions)
        add("cipher suites", offer.cipherSuites)
        add("groups", offer.groups)
        add("signature algorithms", offer.signatureAlgorithms)
        add("alpn", offer.alpn)
        if offer.versions == nil { facts.append(("offer", "not known: the stack's own is sent", "offer")) }
        if !offer.sni { facts.append(("server name", "not sent", "offer")) }
        if !offer.leftOut.isEmpty { facts.append(("left out", offer.leftOut.joined(separator: " "), "")) }
        facts.append(("paths", verifier.paths, "paths"))
        facts.append(("issuers", verifier.issuers, "issuers"))
        facts.append(("anchors", verifier.anchors, "anchors"))
        facts.append(("anchors' validity", verifier.anchorValidity ? "judged" : "not judged", "anchorValidity"))
        facts.append(("common name", verifier.commonName ? "accepted" : "not accepted", "commonName"))
        facts.append(("SHA-1", verifier.sha1 ? "accepted" : "not accepted", "sha1"))
        facts.append(("RSA keys", "from \(verifier.minimumRSABits) bits", "minimumRSABits"))
        facts.append(("last second", verifier.lastSecond ? "valid" : "over", "lastSecond"))
        for limit in verifier.lifetimes {
            let slack = limit.slack > 0 ? " and \(limit.slack) s" : ""
            facts.append(("lifetime", "\(limit.days) days\(slack) if issued since \(limit.since)", "lifetimes"))
        }
        facts.append(("name constraints", verifier.nameConstraints ? "judged" : "not judged", "nameConstraints"))
        facts.append(("key identifiers", verifier.keyIdentifiers ? "required" : "hints", "keyIdentifiers"))
        facts.append(("purposes", "\(verifier.purposes), \(verifier.purposePlaces)", "purposes"))
        if let day = verifier.serverPurpose {
            facts.append(("server's purpose", "required if issued since \(day)", "serverPurpose"))
        }
        facts.append(("leaf's key usage", verifier.leafUsage, "leafUsage"))
        facts.append(("roles", verifier.roles ? "judged" : "not judged", "roles"))
        facts.append(
            ("certificate policies", verifier.certificatePolicies ? "judged" : "not judged", "certificatePolicies"))
        facts.append(("anchors' extensions", verifier.anchorExtensions ? "read" : "not read", "anchorExtensions"))
        facts.append(("names of addresses", verifier.addressNames ? "accepted" : "not accepted", "addressNames"))
        if !verifier.unknownExtensions.isEmpty {
            let names = verifier.unknownExtensions.joined(separator: " ")
            facts.append(("unknown extensions", names, "unknownExtensions"))
        }
        facts.append(("stapled responses", verifier.staples ? "judged" : "not judged", "staples"))
        facts.append(("missing issuers", verifier.missingIssuers, "missingIssuers"))
        if !policies.isEmpty { facts.append(("policies", policies.joined(separator: " "), "policies")) }
        if !unreadPins.isEmpty { facts.append(("unread pins", unreadPins.joined(separator: " "), "unreadPins")) }
        let width = facts.map(\.0.count).max() ?? 0
        var lines = ["\(name): \(library), emulated\(approximate ? " approximately" : "")"]
        for (key, value, source) in facts {
            let origin =
                sources[source].map { " (\($0))" } ?? (source.isEmpty || source == "offer" ? "" : " (not known)")
            lines.append("  \(key)\(String(repeating: " ", count: width - key.count))  \(value)\(origin)")
        }
        return lines.map { PrintableText.escape($0) }.joined(separator: "\n")
    }
}
