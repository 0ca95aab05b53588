import FoundationEssentials
import SwiftASN1
import X509

/// What a stapled OCSP response says of the leaf (RFC 6960), and whether the path demands one (RFC 7633).
enum StapleRules {
    /// The problems a staple reveals, or its absence.
    ///
    /// A staple that can't be used counts as none: whoever can send one can also leave it out. Only where a certificate
    /// demands a staple is that a problem.
    static func problems(
        ofPath path: [ParsedCertificate], staple: TrustQuestion.Staple, at instant: Date, _ budget: inout SearchBudget
    ) -> [TrustReading.Problem] {
        guard staple != .notAsked, path.count > 1 else { return [] }
        let reason: String
        do {
            guard case .present(let der) = staple else { throw UnusableStaple(message: "none came") }
            // Reading it, and at most nine keys that may have signed it, most often one.
            guard budget.spend(500 + der.count / 10) else {
                return [.init(.tooComplex, "the staple was not read: too much work")]
            }
            switch try status(of: path[0], issuedBy: path[1], in: der, at: instant) {
            case .good: return []
            case .revoked(let date):
                let message = "'\(path[0].certificate.subject)' was revoked at \(RFC3339.format(date))"
                return [.init(.revoked, message, depth: 0)]
            case .unknown: reason = "the responder does not know the certificate"
            }
        } catch let error as UnusableStaple {
            reason = error.message
        } catch {
            reason = "it can't be read"
        }
        guard let depth = path.dropLast().firstIndex(where: { demandsStaple($0.certificate) }) else { return [] }
        let message = "'\(path[depth].certificate.subject)' demands a stapled OCSP response: \(reason)"
        return [.init(.constraintViolated, message, depth: depth)]
    }

    private static func status(
        of leaf: ParsedCertificate, issuedBy issuer: ParsedCertificate, in der: [UInt8], at instant: Date
    ) throws -> OCSPResponse.Single.Status {
        let response = try OCSPResponse(der: der)
        let entries = response.responses.filter { $0.id.names(leaf.certificate, issuedBy: issuer.certificate) }
        guard !entries.isEmpty else { throw UnusableStaple(message: "the response is about another certificate") }
        guard isSigned(response, for: issuer, at: instant) else {
            throw UnusableStaple(message: "the response is not signed by the issuer or a responder of its")
        }
        let current = entries.filter { entry in
            entry.thisUpdate <= instant && entry.nextUpdate.map { instant <= $0 } ?? false
        }.map(\.status)
        guard let first = current.first else { throw UnusableStaple(message: "the response is not current") }
        // Of several entries the worst counts.
        return current.first { if case .revoked = $0 { true } else { false } } ?? first
    }

    /// RFC 6960 section 4.2.2.2: the issuer signs itself, or a certificate of its own for just that.
    private static func isSigned(_ response: OCSPResponse, for issuer: ParsedCertificate, at instant: Date) -> Bool {
        if signed(response, by: issuer) { return true }
        return response.certificates.contains { responder in
            responder.issuer == issuer.subject && responder.extensionError == nil
                && responder.extensions.purposes?.contains(.ocspSigning) == true
                && CertificateRules.common(responder, at: instant, depth: 1, isAnchor: false).isEmpty
                && isComputable(issuer) && responder.isSigned(by: issuer) && signed(response, by: responder)
        }
    }

    private static func signed(_ response: OCSPResponse, by signer: ParsedCertificate) -> Bool {
        isComputable(signer)
            && signer.certificate.publicKey.isValidSignature(
                response.signature, for: response.responseData, signatureAlgorithm: response.signatureAlgorithm)
    }

    private static func isComputable(_ signer: ParsedCertificate) -> Bool {
        signer.rsaBits ?? 0 <= ParsedCertificate.maximumRSABits
    }

    /// The TLS feature extension with status_request; an issuer's holds for what it issues.
    private static func demandsStaple(_ certificate: Certificate) -> Bool {
        guard let feature = certificate.extensions[oid: [1, 3, 6, 1, 5, 5, 7, 1, 24]],
            let node = try? DER.parse(feature.value), case .constructed(let features) = node.content
        else { return false }
        return features.contains { feature in
            guard case .primitive(let bytes) = feature.content else { return false }
            return bytes.elementsEqual([5])
        }
    }
}
