import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverDoH
import Testing

/// Responses that hold no reply, or end before they do.
@Suite(.bounded) struct DoHResponseTests {
    private static let pki = LabPKI(epoch: .now)

    /// Returns the reason why a server's answer about a name is not one; nil if it is.
    private func doubt(_ server: DoHServer) async throws -> DNSDoubt? {
        let name = try DNSName("models.test")
        let query = DNSQuery(
            name: name, servers: [], httpsServers: [server], tries: 1, deadline: .after(.seconds(1800)))
        guard case .indeterminate(let doubt) = TXTReader.read(await DoHResolver().resolve(query), name: name) else {
            return nil
        }
        return doubt
    }

    private func doubt(_ change: (inout LabHTTPResponse) -> Void) async throws -> DNSDoubt? {
        var behaviour = LabDNSBehaviour.answer(.txt("dc,florida"))
        change(&behaviour.response)
        return try await LabDoHServer.run(LabDNSZone(behaviour), pki: Self.pki) { server in
            try await doubt(try server.server())
        }
    }

    /// Asks a server that is not one of DNS.
    private func doubt(_ recipe: LabTLSRecipe) async throws -> (doubt: DNSDoubt?, requests: [LabHTTPRequest]) {
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let url = "https://good.test:\(server.endpoint.port)/dns-query"
            let asked = try DoHServer(url, connect: server.endpoint, anchors: Self.pki.anchors())
            return (try await doubt(asked), server.requests)
        }
    }

    /// A server that is about to stop sends GOAWAY, and what was asked of it may be asked again (RFC 9113 section 6.8).
    @Test func goAwayIsTheEndOfTheConnection() async throws {
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0]
        let script = LabScript(on: .firstBytes, bytes: settings + goAway)
        let (found, _) = try await doubt(
            LabTLSRecipe(.good, applicationProtocols: ["h2"], service: .script(script)))
        #expect(found?.code == "connection-closed", "\(String(describing: found))")
    }

    @Test func noCodingIsAskedFor() async throws {
        let (found, requests) = try await doubt(LabTLSRecipe(.good, service: .http(LabHTTPRecipe())))
        #expect(found?.code == "http-content")
        #expect(requests.flatMap(\.fields).contains(LabHTTPRequest.Field("accept-encoding", "identity")))
    }

    /// The reply to the query without EDNS, as gzip packs it.
    private static let packed =
        "H4sIAAAAAAACA2NgaGVgYARCIGDLzU9JzSlmKUktLmFgEGBgPMADIhkY+AQYuLlSknXScvKLMlMSAejHnes0AAAA"

    /// It is not unpacked, nor read as if it were a message.
    @Test(arguments: ["gzip", "GZIP", "identity, br"]) func aCodingIsNotAReply(coding: String) async throws {
        let body = try #require(Data(base64Encoded: Self.packed))
        let found = try await doubt { response in
            response.fields = [("content-encoding", coding)]
            response.body = Array(body)
        }
        #expect(found?.code == "http-content")
        let name = coding == "identity, br" ? "br" : coding
        #expect(found?.message.contains("the content coding \"\(name)\"") == true, "\(String(describing: found))")
    }

    @Test func identityIsNoCoding() async throws {
        let found = try await doubt { $0.fields = [("content-encoding", "Identity")] }
        #expect(found == nil, "\(String(describing: found))")
    }

    /// Blanks may stand around a media type, and not within it (RFC 9110 section 8.3.1).
    @Test(
        arguments: [
            ("application/dns-message ; charset=utf-8", nil), ("application/dns-message;x=1", nil),
            ("application/dns -message", "http-content"), ("application /dns-message", "http-content"),
            ("application/dns-message, text/html", "http-content"),
        ] as [(String, String?)])
    func aMediaTypeHasNoBlanks(type: String, code: String?) async throws {
        let found = try await doubt { $0.contentType = type }
        #expect(found?.code == code, "\(String(describing: found))")
    }
}
