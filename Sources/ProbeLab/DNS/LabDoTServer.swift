public import ProbeKit

/// A DNS server of the lab that is asked over TLS (RFC 7858), on a free port of the loopback interface, until it is
/// stopped.
///
///     try await LabDoTServer.run(LabDNSZone(.answer(.txt("dc,florida"))), pki: pki) { server in
///         // ask try server.server()
///     }
public struct LabDoTServer: Sendable {
    private let listener: LabDoHServer

    /// Starts a server on a loopback address; the caller has to ``stop()`` it.
    ///
    /// - Parameters:
    ///   - zone: the answers.
    ///   - pki: the issuer of its certificates.
    ///   - recipe: its TLS settings.
    ///   - address: 127.0.0.1 or ::1.
    ///   - isListening: false to refuse connections.
    /// - Throws: ``LabError``, or NIO's or BoringSSL's error for the port, a certificate or a key.
    public static func start(
        _ zone: LabDNSZone, pki: LabPKI, tls recipe: LabTLSRecipe = LabTLSRecipe(.good),
        on address: IPAddress = .loopback4, isListening: Bool = true
    ) async throws -> LabDoTServer {
        LabDoTServer(
            listener: try await LabDoHServer.start(
                zone, pki: pki, tls: recipe, on: address, isListening: isListening, framing: .stream))
    }

    /// Starts a server, runs `body` with it, and stops it whatever happens.
    public static func run<Value>(
        _ zone: LabDNSZone, pki: LabPKI, tls recipe: LabTLSRecipe = LabTLSRecipe(.good),
        body: (LabDoTServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(zone, pki: pki, tls: recipe)
        return try await stopping {
            await server.stop()
        } after: {
            try await body(server)
        }
    }

    /// The endpoint it listens on.
    public var endpoint: Endpoint { listener.endpoint }

    /// The queries seen so far, the first ten thousand of them.
    public var queries: [LabDNSQuery] { listener.queries }

    /// Returns the server for a query, under the name of its certificate: dialled at its endpoint, trusted by the lab's
    /// root.
    public func server(name: String = "good.test") throws(InputError) -> DNSQuery.TLSServer {
        try DNSQuery.TLSServer("tls://\(name):\(endpoint.port)", connect: endpoint, anchors: listener.anchors)
    }

    /// Closes the port and every connection; when it returns they are gone.
    public func stop() async { await listener.stop() }
}
