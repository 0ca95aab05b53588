import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// The lab's TLS servers, seen by `openssl s_client`.
@Suite(.bounded, .enabled(if: Program("openssl") != nil, "openssl is not installed"))
struct TLSServerTests {
    let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// The facts that a client saw.
    private struct Sight {
        let text: String

        /// The certificates as DER, in the order they were presented.
        var chain: [[UInt8]] {
            text.components(separatedBy: "-----BEGIN CERTIFICATE-----\n").dropFirst().compactMap { part in
                let body = part.components(separatedBy: "-----END CERTIFICATE-----").first ?? ""
                return Base64.decode(body.filter { $0 != "\n" })
            }
        }

        func has(_ words: String) -> Bool { text.contains(words) }

        /// The ServerHello in hexadecimal, as `-msg` shows it, on one line; empty if it did not come.
        var serverHello: String {
            let lines = text.components(separatedBy: ", ServerHello\n").dropFirst().first?.components(separatedBy: "\n")
            return (lines ?? []).prefix { $0.hasPrefix("    ") }.map { String($0.dropFirst(4)) }.joined(separator: " ")
        }
    }

    /// Starts a server, connects to it with `openssl s_client`, sends `words` and closes.
    private func look(
        at recipe: LabTLSRecipe, _ options: [String] = [], saying words: String = "",
        then: (LabServer) async throws -> Void = { _ in }
    ) async throws -> Sight {
        let openssl = try #require(Program("openssl"))
        return try await LabServer.run(.tls(recipe), pki: pki) { server in
            let arguments = ["s_client", "-connect", server.endpoint.description, "-cipher", "ALL:@SECLEVEL=0"]
            let sight = Sight(text: try await openssl.run(arguments + ["-showcerts"] + options, input: words).output)
            try await then(server)
            return sight
        }
    }

    @Test(arguments: LabIdentityName.allCases.filter { $0 != .rsaWithoutNull })
    func everyIdentityIsPresentedAsItIs(name: LabIdentityName) async throws {
        let sight = try await look(at: LabTLSRecipe(name))
        #expect(sight.chain == (try pki.identity(name).chain), "\(sight.text.suffix(600))")
    }

    @Test func aKeyBoringSSLCannotReadIsNotServed() async throws {
        await #expect(throws: (any Error).self) {
            try await LabServer.start(.tls(LabTLSRecipe(.rsaWithoutNull)), pki: pki)
        }
    }

    @Test(arguments: [
        (TLSVersion.tls10, "Protocol  : TLSv1\n"), (.tls11, "Protocol  : TLSv1.1\n"), (.tls12, "Protocol  : TLSv1.2\n"),
        (.tls13, "New, TLSv1.3,"),
    ])
    func versions(version: TLSVersion, words: String) async throws {
        #expect(try await look(at: LabTLSRecipe(.rsa2048, versions: version...version)).has(words))
    }

    @Test func versionsOutsideTheRangeAreRefused() async throws {
        let sight = try await look(at: LabTLSRecipe(.good, versions: .tls12 ... .tls12), ["-tls1_3"])
        #expect(sight.chain.isEmpty && sight.has("alert protocol version"))
    }

    @Test func theNameChoosesTheIdentity() async throws {
        let recipe = LabTLSRecipe(.good, identitiesByName: ["second.test": .second])
        #expect(try await look(at: recipe, ["-servername", "second.test"]).chain == pki.identity(.second).chain)
        #expect(try await look(at: recipe, ["-servername", "good.test"]).chain == pki.identity(.good).chain)
        #expect(try await look(at: recipe, ["-noservername"]).chain == pki.identity(.good).chain)
    }

    @Test func protocolsAreNegotiated() async throws {
        let recipe = LabTLSRecipe(.good, applicationProtocols: ["h2", "http/1.1"])
        #expect(try await look(at: recipe, ["-alpn", "http/1.1"]).has("ALPN protocol: http/1.1"))
        #expect(try await look(at: recipe, ["-alpn", "stomp"]).has("No ALPN negotiated"))
    }

    @Test func signaturesAreChosen() async throws {
        let recipe = LabTLSRecipe(
            .rsa2048, versions: .tls12 ... .tls12, signatureSchemes: [0x0804], cipherSuites: [0xc02f])
        #expect(try await look(at: recipe).has("Peer signature type: RSA-PSS"))
        let refused = try await look(at: recipe, ["-sigalgs", "RSA+SHA256"])
        #expect(refused.has("alert handshake failure"))
    }

    @Test func suitesAndGroupsAreChosen() async throws {
        let recipe = LabTLSRecipe(.rsa2048, versions: .tls12 ... .tls12, cipherSuites: [0xc030], groups: [0x18])
        let sight = try await look(at: recipe)
        #expect(sight.has("Cipher is ECDHE-RSA-AES256-GCM-SHA384"))
        #expect(sight.has("Server Temp Key: ECDH, secp384r1"))
    }

    @Test(arguments: [TLSVersion.tls12, .tls13]) func certificatesAreAskedForAndNotRequired(version: TLSVersion)
        async throws
    {
        let asking = LabTLSRecipe(.good, versions: version...version, asksForCertificate: true)
        let sight = try await look(at: asking, saying: "hello\n") { try await received(6, by: $0) }
        #expect(sight.has("Requested Signature Algorithms"))
        #expect(!(try await look(at: LabTLSRecipe(.good)).has("Requested Signature Algorithms")))
    }

    @Test func staplesAndTimestampsAreSentToThoseWhoAsk() async throws {
        let recipe = LabTLSRecipe(.good, versions: .tls12 ... .tls12, staples: true, timestamps: [[1, 2, 3], [4, 5]])
        // 18 is the extension of timestamps (RFC 6962 section 3.3.1), which `openssl` shows whole.
        let sight = try await look(at: recipe, ["-status", "-serverinfo", "18"])
        #expect(sight.chain == (try pki.identity(.good).chain), "\(sight.text.suffix(600))")
        #expect(sight.has("OCSP Response Status: successful") && sight.has("Cert Status: good"))
        #expect(sight.has("\n\(Base64.encode([0, 18, 0, 11, 0, 9, 0, 3, 1, 2, 3, 0, 2, 4, 5]))\n"))
        let other = try await look(at: recipe)
        #expect(!other.chain.isEmpty && !other.has("OCSP Response Data"))
    }

    @Test(arguments: [LabTLSRecipe(.good, staples: true), LabTLSRecipe(.good, timestamps: [[1]])])
    func aServerInMemoryCountsAndNoticesTheEnd(recipe: LabTLSRecipe) async throws {
        _ = try await look(at: recipe, saying: "hello\n") { server in
            try await received(6, by: server)
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test(arguments: [
        LabTLSRecipe(.good, applicationProtocols: ["h2"], staples: true), LabTLSRecipe(.good, timestamps: [[]]),
        LabTLSRecipe(.selfSigned, staples: true), LabTLSRecipe(.rsaWithoutNull, timestamps: [[1]]),
    ])
    func whatAServerInMemoryCannotDoIsRefused(recipe: LabTLSRecipe) async throws {
        await #expect(throws: LabError.self) { try await LabServer.start(.tls(recipe), pki: pki) }
    }

    @Test(arguments: [LabIdentityName.good, .rsa2048])
    func aServerByHandCompletesItsHandshake(name: LabIdentityName) async throws {
        let recipe = LabTLSRecipe(name, versions: .tls12 ... .tls12, flight: .regular)
        let sight = try await look(at: recipe, saying: "hello\n") { server in
            try await received(6, by: server)
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(sight.chain == (try pki.identity(name).chain), "\(sight.text.suffix(600))")
        #expect(sight.has("AES128-GCM-SHA256") && sight.has("Secure Renegotiation IS supported"))
    }

    @Test(arguments: [
        (LabFlight.downgraded, "inappropriate fallback"), (.signedWithSHA1, "Peer signing digest: SHA1"),
        (.signedWithMD5, "wrong signature type"),
        (.withoutSecureRenegotiation, "unsafe legacy renegotiation disabled"), (.repeatingServerName, "bad extension"),
        (.withUnsolicitedExtension, "unsolicited extension"), (.withRepeatedExtension, "bad extension"),
    ])
    func flightsAreOddInOnePlace(flight: LabFlight, words: String) async throws {
        let recipe = LabTLSRecipe(.good, versions: .tls12 ... .tls12, flight: flight)
        let sight = try await look(at: recipe, ["-servername", "good.test"])
        #expect(sight.has(words), "\(sight.text.suffix(600))")
    }

    /// The errors above do not name the extension, and `openssl` reports nothing about one that it does not know.
    @Test(arguments: [
        (LabFlight.regular, "00 05 ff 01 00 01 00"),
        (.repeatingServerName, "00 17 ff 01 00 01 00 00 00 00 0e 00 0c 00 00 09 67 6f 6f 64 2e 74 65 73 74"),
        (.withUnknownExtension, "00 0a ff 01 00 01 00 ca fe 00 01 00"),
        (.withUnsolicitedExtension, "00 0a ff 01 00 01 00 00 01 00 01 01"),
        (.withRepeatedExtension, "00 0a ff 01 00 01 00 ff 01 00 01 00"),
    ])
    func flightsHaveTheirExtensions(flight: LabFlight, extensions: String) async throws {
        let recipe = LabTLSRecipe(.good, versions: .tls12 ... .tls12, flight: flight)
        let sight = try await look(at: recipe, ["-servername", "good.test", "-msg"])
        // The extensions come after the suite and the compression, at the end of the message.
        #expect(sight.serverHello.hasSuffix(" c0 2b 00 \(extensions)"), "\(sight.text.suffix(600))")
    }

    @Test(arguments: [
        LabTLSRecipe(.good, flight: .regular), LabTLSRecipe(.p384, versions: .tls12 ... .tls12, flight: .regular),
        LabTLSRecipe(.good, versions: .tls12 ... .tls12, applicationProtocols: ["h2"], flight: .regular),
    ])
    func aFlightByHandHasLimits(recipe: LabTLSRecipe) async throws {
        await #expect(throws: LabError.self) { try await LabServer.start(.tls(recipe), pki: pki) }
    }

    @Test func issuersAreNamedWhereTheRecipeSaysSo() async throws {
        let asking = LabTLSRecipe(.good, versions: .tls12 ... .tls12, asksForCertificate: true)
        var naming = asking
        naming.namesIssuers = true
        #expect(try await look(at: naming).has("ProbeKit Lab Root\nClient Certificate Types"))
        #expect(try await look(at: asking).has("No client certificate CA names sent"))
    }

    @Test func applicationBytesAreCounted() async throws {
        _ = try await look(at: LabTLSRecipe(.good), saying: "hello\n") { server in
            try await received(6, by: server)
            #expect(server.acceptedConnections == 1)
        }
        _ = try await look(at: LabTLSRecipe(.good)) { #expect($0.applicationBytes == 0) }
    }

    private func received(_ count: Int, by server: LabServer) async throws {
        while server.applicationBytes < count { try await Task.sleep(for: .milliseconds(5)) }
        #expect(server.applicationBytes == count)
    }

    @Test func aPacedServerIsSlowAndCorrect() async throws {
        let start = ContinuousClock.now
        let pace = LabPace(bytes: 16, pause: .milliseconds(5))
        let sight = try await look(at: LabTLSRecipe(.good, pace: pace))
        #expect(sight.chain == (try pki.identity(.good).chain))
        #expect(start.duration(to: .now) > .milliseconds(250))
    }
}
