import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverDoH
import Testing

/// DNS over HTTP/2: nginx in front of the lab's server, which supports only HTTP/1.1.
@Suite(
    .bounded, .enabled(if: PartnerProcess.isInstalled("nginx"), "nginx is not installed"))
struct DoHPartnerTests {
    private static let pki = LabPKI(epoch: .now)
    private static let list = LabDNSMessage(answers: [.txt("dc,florida")])

    /// Asks through nginx, and returns its log of the request: protocol, method and status.
    private func ask(
        _ behaviour: LabDNSBehaviour, _ method: DoHServer.Method, protocols: String
    ) async throws -> (reading: TXTReading, log: String) {
        let name = try DNSName("models.test")
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        return try await LabDoHServer.run(LabDNSZone(behaviour), pki: Self.pki) { server in
            let arguments = try Self.arguments(port, listen: protocols, upstream: server.endpoint, folder)
            let https = try DoHServer(
                "https://good.test:\(port)/dns-query\(method == .get ? "{?dns}" : "")",
                connect: Endpoint(host: .ip(.loopback4), port: port), anchors: Self.pki.anchors())
            let reading = try await PartnerProcess(program: "nginx", arguments: arguments, port: port).run {
                let query = DNSQuery(
                    name: name, servers: [], httpsServers: [https], tries: 1, deadline: .after(.seconds(1800)))
                return TXTReader.read(await (DoHResolver()).resolve(query), name: name)
            }
            return (reading, try String(contentsOfFile: "\(folder.path)/access.log", encoding: .utf8))
        }
    }

    @Test(arguments: [DoHServer.Method.post, .get], [("ssl http2", "HTTP/2.0"), ("ssl", "HTTP/1.1")])
    func bothVersionsAreSpoken(_ method: DoHServer.Method, version: (listen: String, name: String)) async throws {
        let (reading, log) = try await ask(.reply(Self.list), method, protocols: version.listen)
        guard case .records(let records) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(records.map(\.strings) == [[Array("dc,florida".utf8)]])
        #expect(log == "\(version.name) \(method.rawValue) 200\n")
    }

    @Test(
        arguments: [
            (LabDNSBehaviour.reply(list).with { $0.stream = .half }, "connection-closed"),
            (LabDNSBehaviour.reply(list).with { $0.stream = .closed }, "http-status"),
            (LabDNSBehaviour.reply(list).with { $0.response.status = 404 }, "http-status"),
            (LabDNSBehaviour.reply(list).with { $0.response.contentType = "text/html" }, "http-content"),
            (
                LabDNSBehaviour.reply(list).with { $0.response.body = [UInt8](repeating: 0, count: 200_000) },
                "http-content"
            ),
        ])
    func faultsAreReported(_ behaviour: LabDNSBehaviour, code: String) async throws {
        let (reading, log) = try await ask(behaviour, .post, protocols: "ssl http2")
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(doubt.code == code, "\(doubt)")
        #expect(log.hasPrefix("HTTP/2.0 POST "))
    }

    private static func arguments(
        _ port: UInt16, listen: String, upstream: Endpoint, _ folder: PartnerFolder
    ) throws -> [String] {
        let identity = try pki.identity(.good)
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder.path)/\($0);"
        }
        let text = """
            daemon off;
            master_process off;
            pid \(folder.path)/nginx.pid;
            error_log stderr;
            events {}
            http {
                log_format seen "$server_protocol $request_method $status";
                access_log \(folder.path)/access.log seen;
                \(scratch.joined(separator: "\n    "))
                server {
                    listen 127.0.0.1:\(port) \(listen);
                    ssl_certificate \(chain);
                    ssl_certificate_key \(key);
                    location / {
                        proxy_pass https://\(upstream);
                        proxy_http_version 1.1;
                    }
                }
            }
            """
        return ["-e", "stderr", "-p", folder.path, "-c", try folder.write(text, to: "nginx.conf")]
    }
}
