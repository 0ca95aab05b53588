import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// The plugin as Nagios and Icinga run it: the line, and the code.
@Suite(.bounded) struct NagiosOutputTests {
    @Test(arguments: [(LabIdentityName.good, Int32(0), "OK"), (.expired, 2, "CRITICAL")])
    func fromTheCommandLine(identity: LabIdentityName, code: Int32, word: String) async throws {
        let pki = LabPKI(epoch: .now)
        try await ScratchCA.with(pki) { ca in
            try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: pki) { server in
                let outcome = try await Probe.run([
                    "check", "--format", "nagios", "--backend", "openssl,gnutls", "--timeout", "60", "--connect",
                    "\(server.endpoint)", "--ca", ca, "good.test",
                ])
                #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
                let line = try #require(outcome.output.split(separator: "\n").first)
                #expect(
                    line.contains(
                        #/^PROBE \w+ - good\.test:443 .* with 2 of 2.* \| 'good\.test:443 days'=-?\d+;;;; 'good\.test:443 time'=[0-9.e-]+s;;;0;$/#
                    ),
                    "\(line)")
                #expect(line.hasPrefix("PROBE \(word) - "))
            }
        }
    }
}

/// A file with the lab's root, gone when the closure ends.
private enum ScratchCA {
    static func with(_ pki: LabPKI, _ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-nagios-\(UUID()).pem")
        try pki.rootPEM().write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }
}
