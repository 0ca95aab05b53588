import ProbeKit
import ProbePins
import ProbeRun
import ProbeSignatures
import ProbeYAML

/// Reads the native format: YAML, of which JSON is a part. Every key has to be known.
enum ProfileReader {
    /// The value of a file's `profile` key.
    static let version = "1"

    static func read(_ text: String, file: String) throws(InputError) -> Profile {
        try profile(YAMLNode(yaml: text, file: file, kind: "profile", content: "a profile, see the examples"))
    }

    private static func profile(_ node: YAMLNode) throws(InputError) -> Profile {
        let fields = try node.fields(
            "profile",
            ProfileKeys.profile)
        let version = try fields.required("profile").text()
        guard version == Self.version else {
            throw try fields.required("profile").refuse(
                "is '\(version)'", remedy: "this build reads version \(Self.version)")
        }
        var environments: [ProfileEnvironment] = []
        if let services = fields["services"] {
            environments.append(ProfileEnvironment(services: try ServiceReader.services(services)))
        }
        if let named = fields["environments"] {
            for (name, value) in try named.named() { environments.append(try environment(name, value)) }
            // The evidence about a service is kept by its label.
            var labels: Set<String> = []
            for label in environments.flatMap({ environment in environment.services.map(environment.label(of:)) })
            where !labels.insert(label).inserted {
                throw named.refuse("leads to two services with the name '\(label)'", remedy: "rename one of them")
            }
        }
        var profile = Profile(
            name: try fields.optional("name") { node throws(InputError) in try node.text() },
            unlistedHost: try fields.optional("unlistedHost") { node throws(InputError) in try node.word() } ?? .fail,
            defaults: try DemandsReader.read(fields),
            pins: try fields.optional("pins") { node throws(InputError) in try PinSetReader.sets(node) } ?? [],
            hosts: try fields.optional("hosts") { node throws(InputError) in
                try node.list { rule throws(InputError) in try hostRule(rule) }
            } ?? [], environments: environments,
            models: try fields.optional("models") { node throws(InputError) in
                try node.list { rule throws(InputError) in try ModelReader.rule(rule) }
            } ?? [],
            signers: try fields.optional("signers") { node throws(InputError) in
                try node.list { rule throws(InputError) in try signer(rule) }
            } ?? [])
        if let digests = fields["digests"] { profile.digests = try self.digests(digests, of: profile.files) }
        return profile
    }

    /// Reads the digests of files; one of a file that the profile does not name would cover nothing, and is rejected.
    private static func digests(_ node: YAMLNode, of files: [String]) throws(InputError) -> [String: PinDigest] {
        var digests: [String: PinDigest] = [:]
        for (path, value) in try node.named() {
            guard files.contains(path) else {
                throw value.refuse(
                    "is of a file that the profile does not use",
                    remedy: files.isEmpty
                        ? "leave it out: the profile names no file" : "its files are \(files.joined(separator: ", "))")
            }
            let text = try value.text()
            guard text.hasPrefix("sha256:"), let bytes = Hex.decode(String(text.dropFirst("sha256:".count))),
                let digest = PinDigest(bytes)
            else {
                throw value.refuse("is '\(text)'", remedy: "write sha256: and 64 hexadecimal digits")
            }
            digests[path] = digest
        }
        return digests
    }

    private static func environment(_ name: String, _ node: YAMLNode) throws(InputError) -> ProfileEnvironment {
        let fields = try node.fields("environment", ProfileKeys.environment)
        return ProfileEnvironment(
            name: name,
            pinning: try fields.optional("pinning") { node throws(InputError) in try node.word() } ?? .enforce,
            demands: try DemandsReader.read(fields),
            services: try fields.optional("services") { node throws(InputError) in try ServiceReader.services(node) }
                ?? []
        )
    }

    private static func hostRule(_ node: YAMLNode) throws(InputError) -> HostRule {
        let fields = try node.fields("host rule", ProfileKeys.hostRule)
        let host = try fields.required("host")
        let semantics: HostSemantics =
            try fields.optional("match") { node throws(InputError) in try node.word() } ?? .exact
        let subdomains =
            try fields.optional("includeSubdomains") { node throws(InputError) in try node.flag() } ?? false
        guard !subdomains || ![.exact, .okhttp].contains(semantics) else {
            throw node.refuse(
                "asks for subdomains, which match: \(semantics.rawValue) does not know",
                remedy: semantics == .okhttp ? "write '*.' or '**.' before the host" : "choose ats, android or trustkit"
            )
        }
        let pins = try PinSetReader.sets(try fields.required("pins"))
        return try host.parsed { text throws(InputError) in
            try HostRule(pattern: text, semantics: semantics, includesSubdomains: subdomains, pins: pins)
        }
    }

    private static func signer(_ node: YAMLNode) throws(InputError) -> SignerRecord {
        let fields = try node.fields(
            "signer",
            ProfileKeys.signer)
        func text(_ name: String) throws(InputError) -> String? {
            try fields.optional(name) { node throws(InputError) in try node.text() }
        }
        return SignerRecord(
            name: try fields.required("name").text(), certificate: try fields.required("certificate").text(),
            commonName: try text("commonName"), authorityKeyIdentifier: try text("authorityKeyIdentifier"),
            subjectKeyIdentifier: try text("subjectKeyIdentifier"), rootSerial: try text("rootSerial"))
    }
}

/// Every key of the native format; the published schema lists the same.
enum ProfileKeys {
    static let demands = [
        "anchors", "trust", "minTLS", "alpn", "policies", "serverDate", "expiresWithin", "clientCertificate",
    ]
    static let profile =
        [
            "profile", "name", "unlistedHost", "pins", "hosts", "services", "environments", "models", "signers",
            "digests",
        ]
        + demands
    static let environment = ["pinning", "services"] + demands
    static let clientCertificate = ["certificate", "key", "passphrase"]
    static let hostRule = ["host", "match", "includeSubdomains", "pins"]
    static let service =
        ["url", "sni", "connect", "alternates", "pins", "shareWith", "certificates", "emulate"] + demands
    static let pinSet = ["anyOf", "position", "chain", "window", "expires", "afterExpiry", "enforce"]
    static let pin = ["pin", "backup", "expires", "commonName", "note"]
    static let window = ["from", "to", "fallback", "maxSkew", "onMissingDate"]
    static let modelRule = [
        "model", "hosts", "servers", "serverPins", "dnssec", "dnssecAnchors", "strings", "absent", "cache", "registry",
    ]
    static let registryRow = ["name", "from", "until", "version"]
    static let signer = [
        "name", "certificate", "commonName", "authorityKeyIdentifier", "subjectKeyIdentifier", "rootSerial",
    ]
}

/// Reads model rules and their registries.
enum ModelReader {
    static func rule(_ node: YAMLNode) throws(InputError) -> ModelRule {
        let fields = try node.fields(
            "model rule",
            ProfileKeys.modelRule)
        func texts(_ name: String) throws(InputError) -> [String] {
            try fields.optional(name) { node throws(InputError) in
                try node.list { element throws(InputError) in try element.text() }
            } ?? []
        }
        let servers = try texts("servers")
        return ModelRule(
            model: try fields.required("model").parsed { text throws(InputError) in try ModelName(text) },
            hosts: try fields.required("hosts").list { element throws(InputError) in
                try element.parsed { text throws(InputError) in try DNSName(text) }
            }, servers: servers,
            serverPins: try fields.optional("serverPins") { node throws(InputError) in
                try serverPins(node, of: servers)
            } ?? [],
            dnssec: try fields.optional("dnssec") { node throws(InputError) in try node.word() } ?? .off,
            dnssecAnchors: try texts("dnssecAnchors"),
            strings: try fields.optional("strings") { node throws(InputError) in try node.word() } ?? .joined,
            absence: try fields.optional("absent") { node throws(InputError) in try node.word() } ?? .transient,
            cacheSeconds: try fields.optional("cache") { node throws(InputError) in
                try node.number(in: 0...604_800)
            } ?? ModelRule.defaultCacheSeconds,
            registry: try fields.optional("registry") { node throws(InputError) in
                try node.list { row throws(InputError) in try self.row(row) }
            } ?? [])
    }

    /// Reads the pins of the servers' keys, which none but a server over TLS shows.
    private static func serverPins(_ node: YAMLNode, of servers: [String]) throws(InputError) -> [PinDigest] {
        guard !servers.isEmpty, servers.allSatisfy(DNSQuery.TLSServer.isURL) else {
            let other = servers.first { !DNSQuery.TLSServer.isURL($0) } ?? "the system's servers"
            throw node.refuse(
                "is of no use with \(PrintableText.escape(other))",
                remedy: "name 'servers' of the form tls://NAME alone")
        }
        let pins = try node.list { element throws(InputError) in
            try element.parsed { text throws(InputError) in try PinText.key(text) }
        }
        guard !pins.isEmpty else { throw node.refuse("is empty", remedy: "name a key, or leave serverPins out") }
        return pins
    }

    private static func row(_ node: YAMLNode) throws(InputError) -> ModelRegistryRow {
        let fields = try node.fields("registry row", ProfileKeys.registryRow)
        return ModelRegistryRow(
            name: try fields.required("name").parsed { text throws(InputError) in try ModelName(text) },
            from: try fields.required("from").parsed { text throws(InputError) in try ProfileInstant.first.parse(text)
            },
            until: try fields.parsed("until") { text throws(InputError) in try ProfileInstant.last.parse(text) },
            version: try fields.optional("version") { node throws(InputError) in try node.text() })
    }
}
