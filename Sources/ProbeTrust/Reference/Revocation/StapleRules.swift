import ProbeKit
import ProbePlatform
import SwiftASN1
import X509

/// The rules for the leaf's stapled OCSP response (RFC 6960), and for a path that demands one (RFC 7633).
package enum StapleRules {
    /// Returns the problems of a staple, or of its absence.
    ///
    /// An unusable staple counts as missing: whoever can send one can also leave it out. That is a problem only if a
    /// certificate demands a staple.
    static func problems(
        ofPath path: [ParsedCertificate], staple: TrustQuestion.Staple, at instant: Date, _ budget: inout SearchBudget
    ) -> [PathProblem] {
        guard staple != .notAsked, path.count > 1 else { return [] }
        let reason: String
        var fix = StapleRemedy.unusable
        do {
            guard case .present(let der) = staple else {
                fix = StapleRemedy.missing
                throw UnusableStaple(message: "none came")
            }
            guard budget.spend(readingCost), budget.spend(reading: der) else {
                return [.init(.tooComplex, "the staple was not read: too much work")]
            }
            switch try status(of: path[0], issuedBy: path[1], in: der, at: instant, &budget) {
            case .good: return []
            case .revoked(let date):
                return [
                    .init(
                        .revoked, "'\(path[0].certificate.subject)' was revoked at \(RFC3339.format(date))", depth: 0)
                ]
            case .unknown:
                reason = "the responder does not know the certificate"
                fix = StapleRemedy.unknown
            }
        } catch let error as UnusableStaple {
            reason = error.message
        } catch {
            reason = "it can't be read"
        }
        // Not the same as unusable: filling the budget must not hide the content of the staple.
        guard !budget.isSpent else { return [.init(.tooComplex, "the staple was not checked: too much work")] }
        guard let depth = path.dropLast().firstIndex(where: \.extensions.demandsStaple) else { return [] }
        return [
            .init(
                .constraintViolated, "'\(path[depth].certificate.subject)' demands a stapled OCSP response: \(reason)",
                depth: depth, fix: fix)
        ]
    }

    /// The code of the remark that nobody asked for a staple that is demanded.
    package static let unasked = "staple-not-asked"

    /// Returns a remark on an accepted path that demands a staple, if there was no handshake that asked for one: whether the
    /// server keeps the demand is not known.
    static func remarks(ofPath path: [ParsedCertificate], _ question: TrustQuestion) -> [TrustReading.Remark] {
        guard question.staple == .notAsked, question.purpose == .server,
            let demanding = path.dropLast().first(where: \.extensions.demandsStaple)
        else { return [] }
        return [
            .warning(
                unasked, "'\(demanding.certificate.subject)' demands a stapled OCSP response, and none was asked for",
                fix: "probe the server itself, through a stack that asks for one")
        ]
    }

    /// Its entries with their times and hashes, of which there are at most 64.
    private static let readingCost = 2000

    private static func status(
        of leaf: ParsedCertificate, issuedBy issuer: ParsedCertificate, in der: [UInt8], at instant: Date,
        _ budget: inout SearchBudget
    ) throws -> OCSPResponse.Single.Status {
        let response = try OCSPResponse(der: der)
        let entries = response.responses.filter { $0.id.names(leaf.certificate, issuedBy: issuer.certificate) }
        guard !entries.isEmpty else { throw UnusableStaple(message: "the response is about another certificate") }
        guard isSigned(response, for: issuer, at: instant, &budget) else {
            throw UnusableStaple(message: "the response is not signed by the issuer or a responder of its")
        }
        let second = instant.wholeSecond
        let current = entries.filter { entry in
            entry.thisUpdate <= second && entry.nextUpdate.map { second <= $0 } ?? false
        }.map(\.status)
        // Of several entries the worst counts.
        guard let worst = current.max(by: { $0.rank < $1.rank }) else {
            throw UnusableStaple(message: "the response is not current")
        }
        return worst
    }

    /// Checks RFC 6960 section 4.2.2.2: the issuer signs itself, or a certificate of its own for just that.
    private static func isSigned(
        _ response: OCSPResponse, for issuer: ParsedCertificate, at instant: Date, _ budget: inout SearchBudget
    ) -> Bool {
        if signed(response, by: issuer, &budget) { return true }
        return response.certificates.contains { responder in
            // One whose extensions can't be read has no purposes.
            responder.issuer == issuer.subject && responder.extensions.purposes?.contains(.ocspSigning) == true
                && CertificateRules.common(responder, at: instant, depth: 1, isAnchor: false).isEmpty
                && budget.spend(verifying: responder.der.count, by: issuer) && responder.isSigned(by: issuer)
                && signed(response, by: responder, &budget)
        }
    }

    private static func signed(
        _ response: OCSPResponse, by signer: ParsedCertificate, _ budget: inout SearchBudget
    ) -> Bool {
        budget.spend(verifying: response.responseData.count, by: signer)
            && signer.certificate.publicKey.isValidSignature(
                response.signature, for: response.responseData, signatureAlgorithm: response.signatureAlgorithm)
    }
}

extension OCSPResponse.Single.Status {
    /// A higher one is worse.
    fileprivate var rank: Int {
        switch self {
        case .good: 0
        case .unknown: 1
        case .revoked: 2
        }
    }
}

/// The reason why a stapled response can't be used for the leaf.
struct UnusableStaple: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
