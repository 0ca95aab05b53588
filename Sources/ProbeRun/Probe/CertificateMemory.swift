package import ProbeKit
import ProbePins
package import ProbeTrust

/// The evidence of certificates that are the same in one probe after another: issuers', and a leaf that many servers
/// have. To read one again takes a tenth of the time of a handshake.
package final class CertificateMemory: Sendable {
    private struct Key: Hashable {
        let transport: BackendIdentity
        let source: CertificateEvidence.Source
        let certificate: ByteKey
    }

    private let issuers = BoundedMemory<Key, CertificateEvidence>(limit: 256)
    /// Kept apart: servers with a leaf each must not have the issuers forgotten.
    private let leaves = BoundedMemory<Key, CertificateEvidence>(limit: 64)
    /// Real ones are far smaller; a hostile peer's must not fill the memory.
    private static let maximumBytes = 8192

    /// Creates a memory that has seen no certificates yet.
    package init() {}

    /// Returns the evidence of the certificates that a server presented, the leaf first.
    ///
    /// Certificates that are too expensive for the verifier to judge are still shown; their fields are parsed within a
    /// budget too.
    package func presented(
        _ report: HandshakeReport, through transport: BackendIdentity, digester: any Digester = SwiftCryptoDigester(),
        certificates: ReadCertificates = ReadCertificates()
    ) -> [CertificateEvidence] {
        var budget = SearchBudget(units: SearchBudget.forDetails)
        // A key that is left out means nothing for its certificate.
        let leftOut = KeyReading.unanswered("it reported \(report.keys.count.counted("key")) of \(report.chain.count)")
        return report.chain.enumerated().map { index, der in
            let key = index < report.keys.count ? report.keys[index] : leftOut
            let showsDetails = budget.spend(reading: der)
            func read() -> CertificateEvidence {
                CertificateEvidence(
                    certificates[der], source: .presented, stackKey: key, digester: digester,
                    showsDetails: showsDetails)
            }
            guard showsDetails else { return read() }
            let known = index > 0 ? issuers : leaves
            let place = Key(transport: transport, source: .presented, certificate: ByteKey(der))
            if let evidence = known[place], evidence.stackKey == key { return evidence }
            return Self.keep(read(), at: place, in: known)
        }
    }

    /// Returns the evidence of an anchor that the server did not send.
    ///
    /// - Parameters:
    ///   - deadline: the end of the wait for the stack.
    ///   - earlier: the evidence of the probe's other certificates.
    func anchor(
        _ certificate: [UInt8], through transport: any Transport, certificates: ReadCertificates, by deadline: Deadline
    ) async -> CertificateEvidence {
        let place = Key(transport: transport.identity, source: .anchor, certificate: ByteKey(certificate))
        if let evidence = issuers[place] { return evidence }
        let key = await transport.readKey(of: certificate, by: deadline)
        let digester = transport.digester ?? SwiftCryptoDigester()
        return Self.keep(
            CertificateEvidence(certificates[certificate], source: .anchor, stackKey: key, digester: digester),
            at: place, in: issuers)
    }

    /// A certificate that a stack could not read is passed to it again the next time.
    private static func keep(
        _ evidence: CertificateEvidence, at place: Key, in known: BoundedMemory<Key, CertificateEvidence>
    ) -> CertificateEvidence {
        if case .spki = evidence.stackKey, evidence.der.count <= maximumBytes { known[place] = evidence }
        return evidence
    }
}
