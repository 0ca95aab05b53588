import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeRun
import ProbeScan
import ProbeTestSupport
import Testing
import TransportOpenSSL

/// Records of a real name server that lead to real ports: `--follow` without the command line.
@Suite(.bounded, .needs(.nsd)) struct FollowPartnerTests {
    private static let pki = LabPKI(epoch: .now)

    /// Follows a target's records to a server with the certificate of `good.test`, and judges it.
    ///
    /// - Parameter records: returns the zone `test`, given the server's port.
    private func probe(
        _ target: String, _ known: StartTLS? = nil, choice: AddressChoice = AddressChoice(),
        zone records: @Sendable (UInt16) -> String
    ) async throws -> [ProbeResult] {
        let recipe = LabTLSRecipe(.good, dialogue: known.map { LabDialogue($0) })
        return try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let zone = """
                $ORIGIN test.
                $TTL 60
                @ SOA ns hostmaster 1 3600 600 86400 60
                @ NS ns
                ns A 127.0.0.1
                svc A 127.0.0.1
                \(records(server.endpoint.port))

                """
            return try await DNSPartner.nsd.run(zone: zone, of: "test") { nsd in
                var choice = choice
                choice.records = RecordLookup(at: [nsd])
                let check = Check(
                    target: try Target(target), anchors: try Self.pki.anchors(), timeout: .seconds(1200))
                var results: [ProbeResult] = []
                for part in await choice.checks(of: check) {
                    results += await Prober().probe(part, through: [OpenSSLTransport()], resolvers: [])
                }
                return results
            }
        }
    }

    @Test func aBindingLeadsToItsPort() async throws {
        let results = try await probe("good.test") { port in
            """
            good HTTPS 0 www.good
            www.good HTTPS 1 svc alpn=h2 port=\(port) ipv4hint=192.0.2.1
            www.good HTTPS 2 elsewhere mandatory=key65400 key65400=x
            """
        }
        #expect(results.map(\.verdict.outcome) == [.pass])
        #expect(results.map(\.subject) == ["good.test:443"])
        let steps = results.first?.followed ?? []
        #expect(steps.map(\.name) == ["good.test", "www.good.test"])
        #expect(steps.last?.records.map { $0.unused == nil } == [true, false])
    }

    @Test func anAliasOfTheZoneIsFollowed() async throws {
        let results = try await probe("good.test:8443") { port in
            """
            _8443._https.good CNAME bindings
            bindings HTTPS 1 svc port=\(port)
            """
        }
        #expect(results.map(\.verdict.outcome) == [.pass])
        #expect(results.first?.followed.map(\.aliases) == [["bindings.test"]])
    }

    @Test(
        arguments: [
            ("imap://good.test", StartTLS.imap, "_imap._tcp.good"),
            ("xmpp-client://good.test", .xmppClient, "_xmpp-client._tcp.good"),
            ("ldap://good.test", .ldap, "_ldap._tcp.good"), ("sieve://good.test", .sieve, "_sieve._tcp.good"),
            ("smtp://good.test:587", .smtp, "_submission._tcp.good"), ("good.test:993", nil, "_imaps._tcp.good"),
        ] as [(String, StartTLS?, String)])
    func aServiceLeadsToItsPort(target: String, known: StartTLS?, owner: String) async throws {
        let results = try await probe(target, known) { port in
            """
            \(owner) SRV 10 1 \(port) svc
            \(owner) SRV 5 1 1 svc
            """
        }
        // Nothing listens on the first port.
        #expect(results.map(\.verdict.outcome) == [.pass], "\(results.map(\.verdict.findings))")
        #expect(results.first?.verdict.findings.contains { $0.code == "alternate-used" } == true)
        #expect(results.first?.evidence.connection?.report.sniSent == "good.test")
    }

    /// A host of the domain, whose own name is proved; with every address each has a verdict.
    @Test func mailGoesToItsHosts() async throws {
        let port = try LoopbackPort.free()
        let results = try await probe("smtp://domain.test:\(port)", .smtp, choice: AddressChoice(isEach: true)) { _ in
            """
            domain MX 10 good
            domain MX 20 svc
            good A 127.0.0.1
            """
        }
        #expect(results.map(\.subject) == Array(repeating: "smtp://domain.test:\(port)", count: 2))
        #expect(results.map { $0.verdict.findings.contains { $0.code == "name-from-records" } } == [true, true])
        #expect(results.map { $0.dialled?.description } == Array(repeating: "127.0.0.1:\(port)", count: 2))
        let none = try await probe("smtp://domain.test", .smtp) { _ in "domain MX 0 ." }
        #expect(none.first?.verdict.findings.contains { $0.code == "service-not-offered" } == true)
        #expect(none.map(\.verdict.outcome) == [.unreachable])
    }
}
