import ProbeKit
import ProbeRun
import ProbeYAML

/// Reads the services of a profile or an environment.
enum ServiceReader {
    static func services(_ node: YAMLNode) throws(InputError) -> [Service] {
        var services: [Service] = []
        for (name, value) in try node.named() { services.append(try service(name, value)) }
        for service in services {
            guard let other = service.sharesWith else { continue }
            guard services.contains(where: { $0.name == other && $0.sharesWith == nil && other != service.name }) else {
                let names = services.map(\.name).filter { $0 != service.name }.joined(separator: ", ")
                throw node.refuse(
                    "has '\(service.name)' share with '\(other)', which has no pins of its own to share",
                    remedy: "choose another of \(names)")
            }
        }
        return services
    }

    /// Reads a service, which is written as its URL if it has no other fields.
    private static func service(_ name: String, _ node: YAMLNode) throws(InputError) -> Service {
        guard !node.isScalar else {
            return Service(
                name: name, target: try node.parsed { text throws(InputError) in try Target(text) })
        }
        let fields = try node.fields(
            "service",
            ProfileKeys.service
        )
        return Service(
            name: name, target: try target(fields),
            alternates: try fields.optional("alternates") { node throws(InputError) in
                try node.list { element throws(InputError) in
                    try element.parsed { text throws(InputError) in try Target(text) }
                }
            } ?? [],
            pins: try fields.optional("pins") { node throws(InputError) in try PinSetReader.sets(node) } ?? [],
            sharesWith: try fields.optional("shareWith") { node throws(InputError) in try node.text() },
            certificates: try fields.optional("certificates") { node throws(InputError) in
                try node.list { element throws(InputError) in try element.text() }
            } ?? [],
            emulation: try fields.optional("emulate") { node throws(InputError) in
                if let client = Emulation(alias: try node.text()) { return client }
                return try node.word()
            },
            demands: try DemandsReader.read(fields))
    }

    /// Reads the target. The URL names the server. With `sni`, the URL only gives the endpoint to dial, and `sni` is
    /// the server's identity.
    private static func target(_ fields: YAMLFields) throws(InputError) -> Target {
        let url = try fields.required("url").parsed { text throws(InputError) in try Target(text) }
        let sni = try fields.parsed("sni") { text throws(InputError) in try ServerName(text) }
        let connect = try fields.parsed("connect") { text throws(InputError) in try Endpoint(text) }
        guard let sni else { return url.dialled(at: connect) }
        if let connect, sni != url.name {
            throw fields.node.refuse(
                "has two places to dial, in url: \(url.name) and in connect: \(connect)",
                remedy: "with sni and connect, write the name of sni in the url too, or leave connect out")
        }
        return Target(
            name: sni, port: url.port, connect: connect ?? Endpoint(host: url.name, port: url.port),
            startTLS: url.startTLS)
    }
}

/// Reads the requirements of a profile, an environment or a service beside pins.
enum DemandsReader {
    static func read(_ fields: YAMLFields) throws(InputError) -> ConnectionDemands {
        func texts(_ name: String) throws(InputError) -> [String]? {
            try fields.optional(name) { node throws(InputError) in
                try node.list { element throws(InputError) in try element.text() }
            }
        }
        return ConnectionDemands(
            anchors: try fields.optional("anchors") { node throws(InputError) in try anchors(node) },
            trust: try fields.optional("trust") { node throws(InputError) in try node.word() },
            minimumTLS: try fields.optional("minTLS") { node throws(InputError) in
                let text = try node.text()
                guard let version = TLSVersion(number: text) else {
                    throw node.refuse("is '\(text)'", remedy: "choose 1.0, 1.1, 1.2 or 1.3")
                }
                return version
            }, alpn: try texts("alpn"), policies: try texts("policies"),
            serverDate: try fields.optional("serverDate") { node throws(InputError) in try node.word() },
            expiresWithin: try fields.parsed("expiresWithin", DurationText.parse),
            clientIdentity: try fields.optional("clientCertificate") { node throws(InputError) in
                try identity(node)
            })
    }

    /// Reads anchors, which are the system's or those of files: the two are never joined.
    private static func anchors(_ node: YAMLNode) throws(InputError) -> ConnectionDemands.Anchors {
        let names = try node.list { element throws(InputError) in try element.text() }
        guard names != ["system"] else { return .system }
        guard !names.contains("system") else {
            throw node.refuse("has 'system' beside files", remedy: "write system alone, or name files only")
        }
        return .files(names)
    }

    private static func identity(_ node: YAMLNode) throws(InputError) -> IdentityFiles {
        let fields = try node.fields("client certificate", ProfileKeys.clientCertificate)
        let files = IdentityFiles(
            certificate: try fields.required("certificate").text(),
            key: try fields.optional("key") { node throws(InputError) in try node.text() },
            passphrase: try fields.optional("passphrase") { node throws(InputError) in try node.text() })
        do throws(InputError) { try files.check() } catch { throw node.refuse(error) }
        return files
    }
}
