import Crypto
package import ProbeKit
import ProbePins

extension MailHost {
    /// Judges a chain by the host's TLSA records instead of root stores (RFC 7672 section 3.1).
    package func judge(
        _ question: TrustQuestion, by verifier: ReferenceVerifier, _ certificates: ReadCertificates
    ) async -> TrustReading {
        guard let leaf = question.chain.first else {
            return .refused([.init(.malformed, "no certificate was presented")])
        }
        // Such a record vouches for the key alone: it asks for no name and no dates (RFC 7671 section 5.1).
        if let record = usable.first(where: { $0.usage == 3 && $0.matches(leaf) }) {
            return .accepted(
                path: nil,
                remarks: [.note("dane-matched", "the server's certificate is that of \(owner) TLSA \(record)")])
        }
        let authorities = usable.filter { $0.usage == 2 }
        let anchors =
            question.chain.dropFirst().filter { der in authorities.contains { $0.matches(der) } }
            + authorities.filter { $0.selector == 0 && $0.matching == 0 }.map(\.data)
        guard !anchors.isEmpty else {
            return .refused([
                .init(
                    .unknownIssuer, "no certificate of the chain is that of a TLSA record of \(owner)",
                    fix: MisstatedRecord(of: self, in: question.chain)?.fix
                        ?? remedy(for: authorities.first))
            ])
        }
        var refusal: TrustReading?
        for name in names {
            let trust = await verifier.evaluate(
                question.about(name, anchors: Array(anchors)), furtherPaths: 0, certificates: certificates
            ).trust
            if trust.isAccepted { return trust }
            refusal = refusal ?? trust
        }
        return refusal?.restingOnRecords
            ?? .refused([.init(.hostnameMismatch, "\(owner) has no name that a certificate can prove")])
    }

    /// Returns the fix where no certificate is that of a record. A server has to send the authority that it publishes, also
    /// one whose whole key is published: a key alone has no name that the issuer's could be compared with, and clients need
    /// not support it (RFC 7672 section 3.1.2).
    private func remedy(for authority: Record?) -> String {
        guard let authority else {
            return "publish a TLSA record of the server's key, DNSSEC signed, before the key changes"
        }
        let wanted = authority.selector == 0 ? "the certificate" : "a certificate with the key"
        return
            "send \(wanted) of '\(owner) TLSA \(authority)' after the server's own, or publish a TLSA record of the server's key"
    }
}

extension MailHost.Record {
    /// Returns true if the record is a certificate's: its digest, or it itself, of all of it or of its key.
    func matches(_ der: [UInt8]) -> Bool {
        let selected: [UInt8]
        if selector == 0 {
            selected = der
        } else {
            guard let slices = try? CertificateSlices(certificate: der.span) else { return false }
            selected = Array(der[slices.spki])
        }
        return switch matching {
        case 0: selected == data
        case 1: Array(SHA256.hash(data: selected)) == data
        case 2: Array(SHA512.hash(data: selected)) == data
        default: false
        }
    }
}

extension TrustReading {
    /// The same refusal, with fixes that leave the anchors to the records: no other one counts beside them.
    fileprivate var restingOnRecords: TrustReading {
        guard isAnswered else { return self }
        return .refused(
            problems.map { problem in
                guard problem.fix == nil, [.unknownIssuer, .selfSigned].contains(problem.cause) else { return problem }
                return Problem(
                    problem.cause, problem.message, nativeCode: problem.nativeCode, depth: problem.depth,
                    fix:
                        "send the certificates between the server's own and the published one, or publish a TLSA record of the server's key"
                )
            })
    }
}

extension TrustQuestion {
    /// Returns the same question about the authorities of TLSA records.
    fileprivate func about(_ name: ServerName, anchors: [[UInt8]]) -> TrustQuestion {
        TrustQuestion(
            chain: chain, anchors: TrustAnchors(name: "TLSA records", certificates: anchors), name: name,
            instant: instant, purpose: purpose, staple: staple, maxDepth: maxDepth, policies: policies)
    }
}
