import ProbeKit
import ProbePlatform
import ProbeRoots
import ProbeTrust
import ProbeYAML

/// A YAML file of clients: each a name with facts, and the source of every fact.
struct ClientFile {
    /// The file's name in errors.
    let file: String
    /// The clients' family.
    let family: String
    /// The folder that files of roots are in; nil for the clients that are shipped, which have none.
    let folder: String?

    /// The largest file that is read, in bytes; a fleet's too.
    static let maximumBytes = 4 << 20

    private static let keys = [
        "extends", "released", "library", "program", "agreement", "roots", "sni", "versions", "cipherSuites", "groups",
        "signatureAlgorithms",
        "alpn", "paths", "issuers", "anchors", "anchorValidity", "commonName", "sha1", "minimumRSABits", "lastSecond",
        "lifetimes",
        "nameConstraints", "keyIdentifiers", "purposes", "serverPurpose", "purposePlaces", "leafUsage", "roles",
        "certificatePolicies",
        "anchorExtensions", "addressNames", "unknownExtensions", "staples", "missingIssuers", "policies",
        "unreadPins", "sources",
    ]
    /// Keys whose source has a common name.
    private static let common = Dictionary(
        uniqueKeysWithValues: ["sni", "versions", "cipherSuites", "groups", "signatureAlgorithms", "alpn"].map {
            ($0, "offer")
        })

    /// Keys that say nothing about the library.
    private static let outside: Set = [
        "extends", "released", "library", "program", "agreement", "roots", "policies", "unreadPins",
        "sources",
    ]

    /// Reads the clients.
    ///
    /// - Parameter known: the clients that these may extend, by name.
    func read(_ text: String, known: [String: Client]) throws(InputError) -> [Client] {
        let top = try YAMLNode(yaml: text, file: file, kind: "file of clients", content: "clients: and a name for each")
        var known = known
        var clients: [Client] = []
        for (name, node) in try top.fields("file of clients", ["clients"]).required("clients").named() {
            guard name.wholeMatch(of: #/[a-z0-9][a-z0-9.-]*/#) != nil else {
                throw node.refuse(
                    "is not a client's name",
                    remedy: "write small letters, digits, dots and hyphens, like my-terminal-2.1")
            }
            guard known[name] == nil else {
                throw node.refuse("is a client already", remedy: "choose another name, like my-\(name)")
            }
            let client = try client(name, node, known: known)
            known[name] = client
            clients.append(client)
        }
        return clients
    }

    private func client(_ name: String, _ node: YAMLNode, known: [String: Client]) throws(InputError) -> Client {
        let fields = try node.fields("client", Self.keys)
        let base = try fields.optional("extends") { field throws(InputError) in
            let base = try field.text()
            guard let client = known[base] else {
                let hint = NearestWord.hint(for: base, among: known.keys.sorted())
                throw field.refuse("is '\(base)', which is not a client", remedy: "\(hint)see probe clients")
            }
            return client
        }
        var client = Client(
            name: name, family: family, released: try fields.parsed("released", Self.day) ?? base?.released ?? "",
            library: try fields.optional("library") { field throws(InputError) in try field.text() } ?? base?.library
                ?? "")
        if client.released.isEmpty { throw node.refuse("lacks 'released'", remedy: "add the day of its release") }
        if client.library.isEmpty { throw node.refuse("lacks 'library'", remedy: "say what it is") }
        client.platform = folder == nil ? family : nil
        if let base { client.take(from: base) }
        // A client with another offer or another habit is no longer the library that the program is.
        if Self.keys.contains(where: { !Self.outside.contains($0) && fields[$0] != nil }) {
            client.program = nil
            client.agreement = nil
        }
        client.program =
            try fields.optional("program") { field throws(InputError) in try field.text() } ?? client.program
        client.agreement = try fields.optional("agreement", Self.percentage) ?? client.agreement
        try readOffer(fields, &client)
        try readHabits(fields, &client)
        try readRoots(fields, &client)
        client.judgesStaples = try flag("staples", fields) ?? client.judgesStaples
        client.missingIssuers =
            try fields.optional("missingIssuers") { field throws(InputError) in try field.word() }
            ?? client.missingIssuers
        if let field = fields["policies"] {
            client.policies = try field.list { element throws(InputError) in try element.text() }
        }
        if let field = fields["unreadPins"] {
            client.unreadPins = try field.list { element throws(InputError) in try element.word() }
        }
        try readSources(fields, node, &client)
        return client
    }

    private func readOffer(_ fields: YAMLFields, _ client: inout Client) throws(InputError) {
        func list(_ key: String, _ known: ClientOffer.Registry?) throws(InputError) -> [String]? {
            try fields.optional(key) { field throws(InputError) in
                try field.list { element throws(InputError) in
                    let name = try element.text()
                    guard known.map({ $0.number(of: name) != nil }) ?? true else {
                        let hint = known.flatMap { NearestWord.question(for: name, among: $0.allNames) }
                        throw element.refuse(
                            "is '\(name)', which IANA does not list",
                            remedy: hint ?? "write its name, or a number like 0x1a2b")
                    }
                    return name
                }
            }
        }
        client.offer.versions = try list("versions", nil) ?? client.offer.versions
        client.offer.cipherSuites = try list("cipherSuites", .cipherSuites) ?? client.offer.cipherSuites
        client.offer.groups = try list("groups", .groups) ?? client.offer.groups
        client.offer.signatureAlgorithms =
            try list("signatureAlgorithms", .signatureSchemes) ?? client.offer.signatureAlgorithms
        client.offer.alpn = try list("alpn", nil) ?? client.offer.alpn
        if let field = fields["versions"] {
            let versions = ["SSL 2.0", "SSL 3.0"] + TLSVersion.allCases.map(\.rawValue)
            for name in client.offer.versions ?? [] where !versions.contains(name) {
                throw field.refuse("has '\(name)'", remedy: "choose \(versions.joined(separator: ", "))")
            }
        }
        client.sendsName = try flag("sni", fields) ?? client.sendsName
    }

    private func readHabits(_ fields: YAMLFields, _ client: inout Client) throws(InputError) {
        client.habits.paths =
            try fields.optional("paths") { field throws(InputError) in try field.word() } ?? client.habits.paths
        client.habits.issuers = try word("issuers", fields) ?? client.habits.issuers
        client.habits.anchors =
            try fields.optional("anchors") { field throws(InputError) in try field.word() } ?? client.habits.anchors
        client.habits.judgesAnchorValidity = try flag("anchorValidity", fields) ?? client.habits.judgesAnchorValidity
        client.habits.acceptsCommonName = try flag("commonName", fields) ?? client.habits.acceptsCommonName
        client.habits.acceptsSHA1 = try flag("sha1", fields) ?? client.habits.acceptsSHA1
        client.habits.includesLastSecond = try flag("lastSecond", fields) ?? client.habits.includesLastSecond
        client.habits.judgesNameConstraints = try flag("nameConstraints", fields) ?? client.habits.judgesNameConstraints
        client.habits.minimumRSABits =
            try fields.optional("minimumRSABits") { field throws(InputError) in try field.number(in: 512...16384) }
            ?? client.habits.minimumRSABits
        try readRules(fields, &client)
        if let field = fields["lifetimes"] {
            let limits = try field.list { element throws(InputError) in
                let limit = try element.fields("lifetime", ["since", "days", "slack"])
                return VerifierHabits.Lifetime(
                    since: try Self.start(of: try limit.required("since").parsed(Self.day)),
                    days: try limit.required("days").number(in: 1...36500),
                    slack: try limit.optional("slack") { field throws(InputError) in
                        try field.number(in: 0...86400)
                    } ?? 0)
            }
            guard Set(limits.map(\.since)).count == limits.count else {
                throw field.refuse("has two limits since the same day", remedy: "keep one of them")
            }
            client.habits.lifetimes = limits.sorted { $0.since < $1.since }
        }
    }

    private func readRules(_ fields: YAMLFields, _ client: inout Client) throws(InputError) {
        let old = client.habits
        client.habits.requiresKeyIdentifiers = try flag("keyIdentifiers", fields) ?? old.requiresKeyIdentifiers
        client.habits.purposes = try word("purposes", fields) ?? old.purposes
        if let day = try fields.parsed("serverPurpose", Self.day) {
            client.habits.serverPurposeSince = try Self.start(of: day)
        }
        client.habits.purposePlaces = try word("purposePlaces", fields) ?? old.purposePlaces
        client.habits.leafUsage = try word("leafUsage", fields) ?? old.leafUsage
        client.habits.judgesRoles = try flag("roles", fields) ?? old.judgesRoles
        client.habits.judgesPolicies = try flag("certificatePolicies", fields) ?? old.judgesPolicies
        client.habits.readsAnchors = try flag("anchorExtensions", fields) ?? old.readsAnchors
        client.habits.acceptsAddresses = try flag("addressNames", fields) ?? old.acceptsAddresses
        if let field = fields["unknownExtensions"] {
            client.habits.unknownExtensions = Set(
                try field.list { element throws(InputError) in
                    try element.word() as VerifierHabits.UnknownExtension
                })
        }
    }

    private func readRoots(_ fields: YAMLFields, _ client: inout Client) throws(InputError) {
        guard let field = fields["roots"] else { return }
        let text = try field.text()
        client.roots = nil
        client.rootsFile = nil
        if let folder, text.contains("/") || text.contains(".pem") {
            client.rootsFile = text.hasPrefix("/") || folder.isEmpty ? text : "\(folder)/\(text)"
        } else {
            client.roots = try field.parsed { text throws(InputError) in try RootStoreName(text).description }
        }
    }

    /// A fact is worth as much as where it is from.
    private func readSources(_ fields: YAMLFields, _ node: YAMLNode, _ client: inout Client) throws(InputError) {
        var own: [String: String] = [:]
        for (key, value) in try fields["sources"]?.named() ?? [] {
            guard Self.keys.contains(key) || key == "offer" else {
                throw value.refuse("is not a fact", remedy: "name a key of the client, or offer")
            }
            own[key] = try value.text()
        }
        for key in Self.keys where !["extends", "library", "program", "sources"].contains(key) && fields[key] != nil {
            let source = Self.common[key] ?? key
            guard own[source] != nil || own[key] != nil else {
                throw node.refuse(
                    "does not say where '\(key)' is from",
                    remedy: "add '\(source)' to its sources, or leave the fact out")
            }
        }
        client.sources.merge(own) { $1 }
    }

    private static func percentage(_ field: YAMLNode) throws(InputError) -> Double {
        let text = try field.text()
        guard let percentage = Double(decimal: text), (0...100).contains(percentage) else {
            throw field.refuse("is '\(text)'", remedy: "write a percentage, like 98.5")
        }
        return percentage
    }

    private func word<Word: RawRepresentable & CaseIterable>(
        _ key: String, _ fields: YAMLFields
    ) throws(InputError) -> Word? where Word.RawValue == String {
        try fields.optional(key) { field throws(InputError) in try field.word() }
    }

    private func flag(_ key: String, _ fields: YAMLFields) throws(InputError) -> Bool? {
        try fields.optional(key) { field throws(InputError) in try field.flag() }
    }

    /// Returns the first second of a day, since 1970.
    private static func start(of day: String) throws(InputError) -> Int {
        Int(try RFC3339.parse(day + "T00:00:00Z").timeIntervalSince1970)
    }

    private static func day(_ text: String) throws(InputError) -> String {
        guard text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil, (try? RFC3339.parse(text + "T00:00:00Z")) != nil else {
            throw InputError("'\(text)' is not a day", remedy: "write year, month and day, like 2016-08-22")
        }
        return text
    }
}

extension Client {
    /// Takes over the facts of the client that this one extends, with their sources.
    fileprivate mutating func take(from base: Client) {
        program = base.program
        agreement = base.agreement
        roots = base.roots
        rootsFile = base.rootsFile
        offer = base.offer
        sendsName = base.sendsName
        habits = base.habits
        judgesStaples = base.judgesStaples
        missingIssuers = base.missingIssuers
        policies = base.policies
        unreadPins = base.unreadPins
        platform = base.platform
        sources = base.sources
    }
}
