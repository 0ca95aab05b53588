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
        ofPath path: [Certificate], staple: TrustQuestion.Staple, at instant: Date
    ) -> [TrustReading.Problem] {
        guard staple != .notAsked, path.count > 1 else { return [] }
        let reason: String
        do {
            guard case .present(let der) = staple else { throw UnusableStaple(message: "none came") }
            switch try status(of: path[0], issuedBy: path[1], in: der, at: instant) {
            case .good: return []
            case .revoked(let date):
                return [.init(.revoked, "'\(path[0].subject)' was revoked at \(RFC3339.format(date))", depth: 0)]
            case .unknown: reason = "the responder does not know the certificate"
            }
        } catch let error as UnusableStaple {
            reason = error.message
        } catch {
            reason = "it can't be read"
        }
        guard let depth = path.dropLast().firstIndex(where: demandsStaple) else { return [] }
        return [
            .init(
                .constraintViolated, "'\(path[depth].subject)' demands a stapled OCSP response: \(reason)", depth: depth
            )
        ]
    }

    private static func status(
        of leaf: Certificate, issuedBy issuer: Certificate, in der: [UInt8], at instant: Date
    ) throws -> OCSPResponse.Single.Status {
        let response = try OCSPResponse(der: der)
        guard let single = response.responses.first(where: { $0.id.names(leaf, issuedBy: issuer) }) else {
            throw UnusableStaple(message: "the response is about another certificate")
        }
        guard isSigned(response, for: issuer, at: instant) else {
            throw UnusableStaple(message: "the response is not signed by the issuer or a responder of its")
        }
        guard single.thisUpdate <= instant, let nextUpdate = single.nextUpdate, instant <= nextUpdate else {
            throw UnusableStaple(message: "the response is not current")
        }
        return single.status
    }

    /// RFC 6960 section 4.2.2.2: the issuer signs itself, or a certificate of its own for just that.
    private static func isSigned(_ response: OCSPResponse, for issuer: Certificate, at instant: Date) -> Bool {
        if signed(response, by: issuer) { return true }
        return response.certificates.contains { responder in
            responder.issuer == issuer.subject
                && (try? responder.extensions.extendedKeyUsage)?.contains(.ocspSigning) == true
                && responder.notValidBefore <= instant && instant <= responder.notValidAfter
                && issuer.publicKey.isValidSignature(responder.signature, for: responder)
                && signed(response, by: responder)
        }
    }

    private static func signed(_ response: OCSPResponse, by signer: Certificate) -> Bool {
        signer.publicKey.isValidSignature(
            response.signature, for: response.responseData, signatureAlgorithm: response.signatureAlgorithm)
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
