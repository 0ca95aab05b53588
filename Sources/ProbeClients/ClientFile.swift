import ProbeKit
import ProbePlatform
import ProbeRoots
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
        let fields = try node.fields("client", ClientKey.allCases.map(\.rawValue))
        // A client has all that the one has which it extends, unless the file gives it a value of its own.
        var client = try base(fields, known: known) ?? Client(name: name, family: family, released: "", library: "")
        client.name = name
        client.family = family
        client.released = try fields[.released]?.parsed(Self.day) ?? client.released
        client.library = try fields[.library]?.text() ?? client.library
        if client.released.isEmpty { throw node.refuse("lacks 'released'", remedy: "add the day of its release") }
        if client.library.isEmpty { throw node.refuse("lacks 'library'", remedy: "say what it is") }
        if fields[.extends] == nil, folder == nil { client.platform = family }
        // A client with another offer or another habit is no longer the library that the program is.
        if ClientKey.allCases.contains(where: { $0.isOfLibrary && fields[$0] != nil }) {
            client.program = nil
            client.agreement = nil
        }
        if let program = fields[.program] {
            client.program = try program.text()
            // It was measured for the other program.
            client.agreement = nil
        }
        client.agreement = try fields.optional(ClientKey.agreement.rawValue, Self.percentage) ?? client.agreement
        try readOffer(fields, &client)
        try readHabits(fields, &client.habits)
        try readRoots(fields, &client)
        client.judgesStaples = try fields[.staples]?.flag() ?? client.judgesStaples
        client.missingIssuers = try fields[.missingIssuers]?.word() ?? client.missingIssuers
        if let field = fields[.policies] {
            client.policies = try field.list { element throws(InputError) in try element.text() }
        }
        if let field = fields[.unreadPins] {
            client.unreadPins = try field.list { element throws(InputError) in try element.word() }
        }
        try readSources(fields, node, &client)
        return client
    }

    /// Returns the client that another one extends; nil if it extends none.
    private func base(_ fields: YAMLFields, known: [String: Client]) throws(InputError) -> Client? {
        guard let field = fields[.extends] else { return nil }
        let name = try field.text()
        guard let client = known[name] else {
            let hint = NearestWord.hint(for: name, among: known.keys.sorted())
            throw field.refuse("is '\(name)', which is not a client", remedy: "\(hint)see probe clients")
        }
        return client
    }

    private func readOffer(_ fields: YAMLFields, _ client: inout Client) throws(InputError) {
        func list(_ key: ClientKey, _ known: ClientOffer.Registry?) throws(InputError) -> [String]? {
            guard let field = fields[key] else { return nil }
            return try field.list { element throws(InputError) in
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
        client.offer.versions = try list(.versions, nil) ?? client.offer.versions
        client.offer.cipherSuites = try list(.cipherSuites, .cipherSuites) ?? client.offer.cipherSuites
        client.offer.groups = try list(.groups, .groups) ?? client.offer.groups
        client.offer.signatureAlgorithms =
            try list(.signatureAlgorithms, .signatureSchemes) ?? client.offer.signatureAlgorithms
        client.offer.alpn = try list(.alpn, nil) ?? client.offer.alpn
        if let field = fields[.versions] {
            let versions = ["SSL 2.0", "SSL 3.0"] + TLSVersion.allCases.map(\.rawValue)
            for name in client.offer.versions ?? [] where !versions.contains(name) {
                throw field.refuse("has '\(name)'", remedy: "choose \(versions.joined(separator: ", "))")
            }
        }
        client.sendsName = try fields[.sni]?.flag() ?? client.sendsName
    }

    private func readRoots(_ fields: YAMLFields, _ client: inout Client) throws(InputError) {
        guard let field = fields[.roots] else { return }
        let text = try field.text()
        client.roots = nil
        client.rootsFile = nil
        client.rootsInFile = nil
        if let folder, text.contains("/") || text.contains(".pem") {
            client.rootsFile = text.hasPrefix("/") || folder.isEmpty ? text : "\(folder)/\(text)"
        } else {
            client.roots = try field.parsed { text throws(InputError) in try RootStoreName(text).description }
        }
    }

    /// A fact is worth as much as where it is from.
    private func readSources(_ fields: YAMLFields, _ node: YAMLNode, _ client: inout Client) throws(InputError) {
        var own: [String: String] = [:]
        for (key, value) in try fields[.sources]?.named() ?? [] {
            guard ClientKey(rawValue: key) != nil || key == ClientKey.offer else {
                throw value.refuse("is not a fact", remedy: "name a key of the client, or offer")
            }
            own[key] = try value.text()
        }
        for key in ClientKey.allCases where fields[key] != nil {
            guard let source = key.source, own[source] == nil, own[key.rawValue] == nil else { continue }
            throw node.refuse(
                "does not say where '\(key.rawValue)' is from",
                remedy: "add '\(source)' to its sources, or leave the fact out")
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

    /// Returns a day as it is written, if it is one.
    static func day(_ text: String) throws(InputError) -> String {
        guard text.wholeMatch(of: #/\d{4}-\d\d-\d\d/#) != nil, (try? RFC3339.parse(text + "T00:00:00Z")) != nil else {
            throw InputError("'\(text)' is not a day", remedy: "write year, month and day, like 2016-08-22")
        }
        return text
    }
}
