public import ProbeKit
public import ProbePlatform
import X509

/// Judges the chain by the name check of a shipped client, beside our strict one: any certificate of the chain may have
/// a DNS name equal to the host's, ignoring case; there are no wildcards, and addresses do not count (requirement 86,
/// decided: leaf-name).
///
/// Such a client checks this beside its system's trust, so it makes no chain acceptable that we refuse. A name that it
/// refuses and we accept, like a wildcard, fails the check: its users could not connect.
public struct EmulatedName: Policy {
    private let name: ServerName

    /// Creates the policy for a name.
    public init(_ name: ServerName) {
        self.name = name
    }

    /// Returns a note where both readings agree, else one warning or error.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, let leaf = connection.certificates.first else { return [] }
        let strict = ServerIdentity.matches(Self.names(of: leaf), name: name)
        let paths = [connection.nativePath, connection.referencePath].compactMap(\.self)
        // The client uses one of the paths, and it is unknown which: the one with the fewest matches counts.
        let judged = (paths.isEmpty ? [connection.presented] : paths).map { judge(connection, $0, strict: strict) }
        let worst = judged.first { $0.severity == .error } ?? judged.first { $0.severity == .warning } ?? judged.first
        return worst.map { [$0] } ?? []
    }

    private func judge(_ connection: ConnectionEvidence, _ chain: [Int], strict: Bool) -> Finding {
        let depth = chain.firstIndex { hasName(connection.certificates[$0]) }
        switch (strict, depth) {
        case (true, let depth?):
            return .note(
                "emulated-name", stage: .trust,
                "the emulated client finds \(name) too, in certificate \(depth), by an exact DNS name")
        case (false, nil):
            return .note("emulated-name", stage: .trust, "the emulated client does not find \(name) either")
        case (false, let depth?):
            return .warning(
                "emulation-differs", stage: .trust,
                "the emulated client finds \(name) in certificate \(depth), although the leaf is not for it; RFC 6125 and its own system refuse the chain",
                fix: "issue the leaf for this name")
        case (true, nil):
            return .error(
                .trustFailed, code: "emulation-differs", stage: .trust,
                "the leaf is for \(name), but the emulated client does not find it: no certificate of the chain has exactly this DNS name, and it reads no wildcards and no addresses",
                fix: "issue the leaf with the DNS name itself")
        }
    }

    private func hasName(_ certificate: CertificateEvidence) -> Bool {
        guard case .dns(let host) = name, let names = Self.names(of: certificate) else { return false }
        return names.contains { candidate in
            guard case .dnsName(let text) = candidate else { return false }
            // The client's strings end at a NUL.
            return text.prefix { $0 != "\0" }.lowercased() == host
        }
    }

    /// Returns the alternative names; nil if there are none or the certificate can't be read.
    private static func names(of certificate: CertificateEvidence) -> SubjectAlternativeNames? {
        guard case .success(let parsed) = certificate.read.parsed else { return nil }
        return parsed.extensions.names
    }
}
