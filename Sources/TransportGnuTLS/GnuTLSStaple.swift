import CProbeGnuTLS
import ProbeKit

/// GnuTLS' judgement of a stapled OCSP response, as `gnutls_certificate_verify_peers` makes it for its clients.
///
/// That function needs a session, so its steps are made here with the same functions, for other chains too; a test
/// compares this with `gnutls-cli`.
struct GnuTLSStaple {
    /// The maximum age of a response without nextUpdate, as in GnuTLS's sources.
    private static let maximumAge: time_t = 3 * 86_400

    private let staple: TrustQuestion.Staple
    private let chain: [GnuTLSCertificate]
    private let list: GnuTLSTrustList
    private let flags: UInt32
    private let now: time_t

    init(_ question: TrustQuestion, _ chain: [GnuTLSCertificate], _ list: GnuTLSTrustList, flags: UInt32) {
        staple = question.staple
        self.chain = chain
        self.list = list
        self.flags = flags
        now = GnuTLSVerification.seconds(of: question.instant)
    }

    /// The flags it adds to the verdict on the chain. Only the leaf's response is known here; an issuer's certificate
    /// that demands one of its own is missed.
    var status: GnuTLSStatus {
        switch staple {
        case .notAsked: []
        case .absent: demand(of: chain[...])
        case .present(let der): judge(der).union(demand(of: chain.dropFirst()))
        }
    }

    private func demand(of certificates: ArraySlice<GnuTLSCertificate>) -> GnuTLSStatus {
        certificates.contains(where: \.demandsStaple) ? .missingStaple : []
    }

    private func judge(_ der: [UInt8]) -> GnuTLSStatus {
        guard let leaf = chain.first, let response = try? GnuTLSOCSPResponse(der: der), response.isAbout(leaf),
            response.isSigned(below: list, flags: flags)
                || chain.dropFirst().contains(where: { response.isSigned(by: $0, flags: flags) }),
            let entry = response.entry
        else { return .invalidStaple }
        if entry.isRevoked { return .revoked }
        let isOld = entry.nextUpdate.map { $0 < now } ?? (now - entry.thisUpdate > Self.maximumAge)
        return isOld ? .supersededStaple : []
    }
}
