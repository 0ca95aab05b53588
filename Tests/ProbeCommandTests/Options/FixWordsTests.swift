import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// The command words the steps of fixes as its options.
@Suite(.bounded) struct FixWordsTests {
    @Test func aPinIsWrittenAsItsOption() throws {
        let pin = try #require(try PinText.parse("spki@ca:sha256:" + String(repeating: "7e", count: 32)).first)
        let words = try #require(FixWords.words(.pin(pin.pin, pin.position)))
        #expect(words.hasPrefix("give --pin spki@ca:sha256:"))
        #expect(try PinText.parse(String(words.dropFirst("give --pin ".count))) == [pin])
    }

    /// An option that is refused beside a profile is of no help there.
    @Test func besideAProfileItsKeysAreNamed() throws {
        let pin = try #require(try PinText.parse("spki@ca:sha256:" + String(repeating: "7e", count: 32)).first)
        let steps: [Fix.Step] = [
            .pin(pin.pin, pin.position), .searchValidatedPath, .offerProtocol, .speakStartTLS([.smtp]), .speakTLSAtOnce,
        ]
        for step in steps {
            let words = try #require(FixWords.besideProfile(step))
            #expect(!words.contains("--"), "\(words)")
            #expect(try #require(FixWords.words(step)).contains("--"))
        }
        #expect(FixWords.besideProfile(.giveAnchor) == FixWords.words(.giveAnchor))
    }

    /// An anchor that is missing where some were given is missing in their file.
    @Test func whatWasGivenIsNotAskedForAgain() {
        func words(_ line: String) -> String {
            let arguments = line.split(separator: " ").map(String.init)
            return Fix.Step.$words.withValue(FixWords.words(for: arguments)) { "\(Fix.Step.giveAnchor)" }
        }
        #expect(words("check a.test") == "give the CA with --ca FILE")
        #expect(words("check --ca ca.pem a.test") == "add the CA to the file of --ca")
        #expect(words("check --ca=ca.pem a.test") == "add the CA to the file of --ca")
        #expect(words("check --roots debian-12 a.test") == "give the CA with --ca FILE in place of --roots")
        #expect(words("serve probe.yaml") == "give the CA as an anchor")
        func atOnce(_ line: String) -> String {
            let arguments = line.split(separator: " ").map(String.init)
            return Fix.Step.$words.withValue(FixWords.words(for: arguments)) { "\(Fix.Step.speakTLSAtOnce)" }
        }
        #expect(atOnce("check --starttls smtp a.test") == "leave --starttls out")
        #expect(atOnce("check smtp://a.test") == "write the target as https://HOST:PORT")
    }

    /// An option that is refused beside those that were given, or that the command does not have, is not advised.
    @Test(
        arguments: [
            (
                "check --roots mozilla a.test", .giveCopyAsAnchor,
                "give your own copy of this one with --ca FILE in place of --roots"
            ),
            ("check --ca ca.pem a.test", .giveCopyAsAnchor, "add your own copy of this one to the file of --ca"),
            ("models a.test", .giveAnchor, "give the CA with --dns-ca FILE"),
            ("profile convert nsc.xml --to okhttp", .giveAnchor, "give a check the CA with --ca FILE"),
            ("profile lint nsc.xml", .giveAnchor, "give the CA with --ca FILE beside --live or --chain"),
            ("profile lint nsc.xml --live", .giveAnchor, "give the CA with --ca FILE"),
            ("profile lint nsc.xml --live", .giveChain, "give its certificates with --chain in place of --live"),
            ("check a.test", .dialAddress, "say where to dial with --connect ADDR:PORT"),
            (
                "check --follow a.test", .dialAddress,
                "say where to dial with --connect ADDR:PORT in place of --follow"
            ),
            (
                "check --all-addresses --family=6 a.test", .dialAddress,
                "say where to dial with --connect ADDR:PORT in place of --all-addresses and --family"
            ),
            (
                "check --proxy https://p.test --proxy-ca p.pem a.test", .trustProxy,
                "add its CA to the file of --proxy-ca"
            ),
            (
                "check --proxy p.test:1 --proxy-credentials c a.test", .giveProxyCredentials,
                "write the USER:PASSWORD or token that the proxy takes to the file of --proxy-credentials"
            ),
            ("check --client ios-12 a.test", .offerProtocol, "offer a protocol that the server speaks"),
            ("fleet --fleet fleet.yaml a.test", .offerProtocol, "offer a protocol that the server speaks"),
        ] as [(String, Fix.Step, String)])
    func whatIsRefusedIsNotAdvised(line: String, step: Fix.Step, words: String) {
        let arguments = line.split(separator: " ").map(String.init)
        #expect(Fix.Step.$words.withValue(FixWords.words(for: arguments)) { "\(step)" } == words)
    }

    /// curl compares the leaf's key alone, and a record's usage says which certificates are compared: another position would
    /// satisfy the probe, and not the clients that have the pin.
    @Test func theFormOfAPinIsKept() {
        let authority = Pin(kind: .spki, digest: .sha256(of: [1]))
        let leaf = Pin(kind: .spki, digest: .sha256(of: [2]))
        let stranger = PinDigest.sha256(of: [3])
        func words(_ arguments: [String], isRead: Bool = true, to: PinPosition = .ca) -> String {
            let step = Fix.Step.movePin(
                authority, from: to == .ca ? .leaf : .ca, to: to, instead: isRead ? leaf : nil)
            return Fix.Step.$words.withValue(FixWords.words(for: ["check"] + arguments + ["a.test"])) { "\(step)" }
        }
        let moved = "give --pin spki@ca:sha256:\(authority.digest.base64)"
        let curl = "sha256//\(authority.digest.base64)"
        let kept = "give --pin sha256//\(leaf.digest.base64) in place of this one: curl compares the leaf's key alone"
        #expect(words(["--pin", "spki@leaf:sha256:\(authority.digest.base64)"]) == moved)
        #expect(words(["--pin", curl]) == kept)
        #expect(words(["--pin=\(curl);sha256//\(stranger.base64)"]) == kept)
        #expect(words(["--pin", "spki@leaf:\(stranger.hex)", "--pin", curl]) == kept)
        #expect(words(["--pin", "sha256//\(stranger.base64)", "--pin", "spki@leaf:\(authority.digest.hex)"]) == moved)
        #expect(words(["--pin", curl], isRead: false).hasPrefix("give the pin of the leaf's key"))
        let hex = authority.digest.hex
        #expect(words(["--pin", "3 1 1 \(hex)"]) == "give --pin '2 1 1 \(hex)', whose usage is of CAs")
        #expect(words(["--pin", "0 1 1 \(hex)"], to: .leaf) == "give --pin '1 1 1 \(hex)', whose usage is of the leaf")
    }

    @Test func theCommandNamesTheProfile() async throws {
        let pki = LabPKI(epoch: .now)
        try await ScratchFolder.withURL { folder in
            try pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            let digest = Data(repeating: 1, count: 32).base64EncodedString()
            let file = folder.appending(path: "app.yaml")
            try """
            profile: 1
            anchors: [ca.pem]
            hosts:
            - {host: good.test, pins: [{anyOf: ["spki:\(digest)"]}]}
            """.write(to: file, atomically: true, encoding: .utf8)
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: pki) { server in
                for profile in [["--profile", file.path], ["--profile=\(file.path)"]] {
                    let found = try await Probe.run(
                        ["check"] + profile + ["--connect", "\(server.endpoint)", "--backend", "openssl", "good.test"])
                    #expect(found.code == 10)
                    #expect(found.output.contains("pin spki@any:sha256:"), "\(found.output)\(found.errors)")
                    #expect(found.output.contains(" in the profile") && !found.output.contains("--pin"))
                }
                // A platform's file holds neither a kind nor a position.
                let pinner = folder.appending(path: "Pins.kt").path
                let leaf = try pki.identity(.good).leaf
                let key = try CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester())
                try "val pins = CertificatePinner.Builder().add(\"good.test\", \"sha256/\(key.rawKey.base64)\").build()"
                    .write(toFile: pinner, atomically: true, encoding: .utf8)
                let confused = try await Probe.run([
                    "check", "--profile", pinner, "--ca", folder.appending(path: "ca.pem").path, "--connect",
                    "\(server.endpoint)", "--backend", "openssl", "--format", "json", "good.test",
                ])
                #expect(confused.code == 10)
                #expect(
                    confused.lines.contains { line in
                        (line["findings"] as? [[String: Any]] ?? []).contains {
                            $0["fix"] as? String == "write the SPKI hash sha256/\(key.spki.base64)"
                        }
                    }
                        && !confused.output.contains("in the profile"), "\(confused.output)\(confused.errors)")
            }
        }
    }

    /// Findings, and refusals, name the options in what the whole command prints.
    @Test(arguments: [
        (["check", "--chain", "ca.pem", "--ca", "attacker.pem", "a.test"], "to the file of --ca"),
        (["profile", "convert", "--to", "curl", "../ecall/profile.yaml"], "choose one with --host"),
    ])
    func theCommandPrintsOptions(arguments: [String], words: String) async throws {
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/Examples/minvws/"
        let found = try await Probe.run(
            arguments.map { $0.hasSuffix(".pem") || $0.hasSuffix(".yaml") ? folder + $0 : $0 })
        #expect((found.output + found.errors).contains(words), "\(found)")
    }
}
