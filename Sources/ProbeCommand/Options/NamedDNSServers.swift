import ProbeKit
import ProbeProfiles

/// The values of `--dns-server`, each of one of the kinds that a server has.
struct NamedDNSServers {
    private let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    /// The servers that are asked over HTTPS or TLS, as they were written.
    var urls: [String] { texts.filter(Self.isURL) }

    /// Returns the servers to ask over UDP and TCP.
    func endpoints() throws(InputError) -> [Endpoint] {
        try read(where: { !Self.isURL($0) }) { text throws(InputError) in try Endpoint.dnsServer(text) }
    }

    /// Returns the servers to ask over HTTPS.
    ///
    /// - Parameters:
    ///   - connect: the endpoint to dial instead of the URL's.
    ///   - anchors: the anchors that the server's certificate has to chain to; asked for only where there is such a server.
    func https(
        _ connect: Endpoint? = nil, anchors: () throws(InputError) -> TrustAnchors
    ) throws(InputError) -> [DoHServer] {
        guard texts.contains(where: DoHServer.isURL) else { return [] }
        let anchors = try anchors()
        return try read(where: DoHServer.isURL) { text throws(InputError) in
            try DoHServer(text, connect: connect, anchors: anchors)
        }
    }

    /// Returns the servers to ask over TLS; the parameters are those of ``https(_:anchors:)``.
    func tls(
        _ connect: Endpoint? = nil, anchors: () throws(InputError) -> TrustAnchors
    ) throws(InputError) -> [DNSQuery.TLSServer] {
        guard texts.contains(where: DNSQuery.TLSServer.isURL) else { return [] }
        let anchors = try anchors()
        return try read(where: DNSQuery.TLSServer.isURL) { text throws(InputError) in
            try DNSQuery.TLSServer(text, connect: connect, anchors: anchors)
        }
    }

    /// Rejects a server of a kind that shows no key, where a rule pins its server's.
    func refuse(besidePinsOf rules: [ModelRule]) throws(InputError) {
        guard let rule = rules.first(where: { !$0.serverPins.isEmpty }),
            let other = texts.first(where: { !DNSQuery.TLSServer.isURL($0) })
        else { return }
        throw InputError(
            "the key of --dns-server \(other) can't be compared with 'serverPins' of the model rule '\(rule.model)'",
            remedy: "name a server of the form tls://NAME, or change the profile")
    }

    private static func isURL(_ text: String) -> Bool { DoHServer.isURL(text) || DNSQuery.TLSServer.isURL(text) }

    private func read<Server>(
        where isOfKind: (String) -> Bool, _ make: (String) throws(InputError) -> Server
    ) throws(InputError) -> [Server] {
        var servers: [Server] = []
        for text in texts where isOfKind(text) {
            do throws(InputError) {
                servers.append(try make(text))
            } catch {
                throw InputError("--dns-server \(error.message)", remedy: error.remedy)
            }
        }
        return servers
    }
}
