import Foundation
import ProbeKit
import ProbeTrust
import Subprocess

/// The programs of the stacks, asked which path they take: a second witness beside our use of their libraries.
enum PathPrograms {
    /// The result of a program for a chain.
    struct Answer {
        /// The names of the path that it takes, the leaf first; nil if it refuses.
        let path: [String]?
        /// Its output.
        let output: String
    }

    /// Returns the path that `openssl verify` takes.
    static func openssl(_ chain: [[UInt8]], anchors: [[UInt8]]) async throws -> Answer {
        let files = try Files(chain, anchors)
        let output = try await run(
            "openssl",
            [
                "verify", "-show_chain", "-purpose", "sslserver", "-auth_level", "2", "-no-CApath", "-no-CAstore",
                "-CAfile", files.anchors, "-untrusted", files.chain, files.chain,
            ])
        guard output.contains(": OK\n") else { return Answer(path: nil, output: output) }
        let path = output.split(separator: "\n").filter { $0.hasPrefix("depth=") }.map { line in
            let name = line.drop { $0 != ":" }.dropFirst(2)
            return Self.name(name.hasSuffix(" (untrusted)") ? name.dropLast(12) : name)
        }
        return Answer(path: path, output: output)
    }

    /// Returns the path that GnuTLS' `certtool` takes.
    static func gnutls(_ chain: [[UInt8]], anchors: [[UInt8]]) async throws -> Answer {
        let files = try Files(chain, anchors)
        let output = try await run(
            "certtool",
            [
                "--verify", "--verify-profile", "medium", "--verify-purpose", "1.3.6.1.5.5.7.3.1", "--infile",
                files.chain, "--load-ca-certificate", files.anchors,
            ])
        guard output.contains("Chain verification output: Verified.") else {
            return Answer(path: nil, output: output)
        }
        // Steps come from the anchor down, including failed ones; each names its subject, and the issuer it was checked
        // against.
        var steps: [(subject: String, issuer: String)] = []
        var step = (subject: "", issuer: "")
        for line in output.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            if line.hasPrefix("Subject: ") { step.subject = name(line.dropFirst(9)) }
            if line.hasPrefix("Checked against: ") { step.issuer = name(line.dropFirst(17)) }
            if line.hasPrefix("Output: Verified.") { steps.append(step) }
        }
        var path = [steps.last?.subject].compactMap(\.self)
        for step in steps.reversed() where step.subject == path.last && step.issuer != step.subject {
            path.append(step.issuer)
        }
        return Answer(path: path, output: output)
    }

    /// Returns a name with one common name, as both programs and swift-certificates write it.
    private static func name(_ text: some StringProtocol) -> String {
        text.replacingOccurrences(of: " = ", with: "=")
    }

    /// Returns the program's output, whatever its verdict on the chain.
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 20),
            error: .combinedWithOutput)
        return result.standardOutput
    }

    private struct Files {
        let chain: String
        let anchors: String
        private let folder: PartnerFolder

        init(_ chain: [[UInt8]], _ anchors: [[UInt8]]) throws {
            let folder = try PartnerFolder()
            self.folder = folder
            self.chain = try folder.write(chain.map(CertificateFile.pem).joined(), to: "chain.pem")
            self.anchors = try folder.write(anchors.map(CertificateFile.pem).joined(), to: "anchors.pem")
        }
    }
}
