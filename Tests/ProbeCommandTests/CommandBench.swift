import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Subprocess

/// Lab servers, and `probe` that asks them.
struct CommandBench {
    static let pki = LabPKI(epoch: .now)

    /// Runs `probe` against a lab server with the lab's CA; the target is good.test.
    func probe(
        _ peer: LabPeer, _ arguments: [String], command: [String] = [], target: String = "good.test:443",
        environment: Environment = .inherit
    ) async throws -> Probe.Outcome {
        try await ScratchFolder.withURL { folder in
            let ca = folder.appending(path: "ca.pem").path
            try Self.pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
            return try await LabServer.run(peer, pki: Self.pki) { server in
                try await Probe.run(
                    command + ["--connect", "\(server.endpoint)", "--ca", ca] + arguments + [target],
                    environment: environment)
            }
        }
    }

    func pin(_ identity: LabIdentityName = .good) throws -> PinDigest {
        PinDigest.sha256(of: try Self.pki.identity(identity).key.spki)
    }
}
