import ProbeKit
import ProbeTrust

/// The findings about a handshake that failed, which may have been for the offer or for something else.
extension ClientFindings {
    /// Returns the finding about a handshake that failed, in the client's words where the server may have refused its offer.
    func handshake(_ finding: Finding) -> Finding {
        if report.failure?.alert == .unrecognizedName, !client.sendsName {
            return .error(
                .handshakeFailed, code: finding.code, stage: .tls,
                "it sends no server name, and the server wants one: \(report.failure?.message ?? "")",
                fix: "configure a default certificate for clients without SNI")
        }
        guard mayRefuseOffer else { return finding }
        let mayBeLeftOut =
            program == nil
            && reduced.leftOut.contains { name in
                // A server that has a newer version and refuses these has no older one.
                !(name.hasPrefix("SSL") && hasNewerVersion)
            }
        let namesVersion = report.failure?.alert == .protocolVersion || report.failure?.cause == .versionNotOffered
        let isAboutVersions = namesVersion && (hasNewerVersion || !leavesVersionOut)
        if mayBeLeftOut, !isAboutVersions {
            return .error(
                .unsupported, code: "client-not-emulated", stage: .tls,
                "it can't be judged: the server refused what could be offered, and may accept what no stack here offers (\(shown(reduced.leftOut))); \(finding.message)",
                fix: "\(advice ?? Fix("accept TLS 1.2 with ECDHE and AES, which nearly every client has"))")
        }
        return .error(
            .handshakeFailed, class: report.failure?.isTransient == true ? .transient : nil, code: finding.code,
            stage: .tls, finding.message, fix: advice ?? finding.remedy)
    }

    /// True if the ClientHello was sent, as far as the failure shows.
    var sentHello: Bool {
        guard evidence.missing.isEmpty else { return false }
        guard let failure = report.failure else { return true }
        let isPastDialogue = !startsTLS || report.timings.dialogue != nil
        return switch failure.code {
        case .unsupported, .startTLSRefused, .startTLSProtocolError, .startTLSInjection: false
        case .localOverload, .backendError: isPastDialogue && report.peerAddress != nil
        default: isPastDialogue && !failure.code.isUnreachable
        }
    }

    /// True if the server may have refused the offer: it chose nothing from it, and what it did can be an answer to it. A
    /// ServerHello accepts the offer, whatever is refused afterwards (RFC 8446 section 4.1.3).
    private var mayRefuseOffer: Bool {
        guard sentHello, report.version == nil, let failure = report.failure else { return false }
        return switch failure.code {
        case .alertReceived: failure.alert.map { !Self.otherAlerts.contains($0) } ?? true
        case .connectionClosed, .connectionReset, .protocolError: true
        default: false
        }
    }

    /// Alerts about something else: the name, the client's certificate, and ALPN, which is sent as the client sends it.
    private static let otherAlerts: Set<HandshakeFailure.Alert> = [
        .unrecognizedName, .certificateRequired, .noApplicationProtocol,
    ]

    private var newest: TLSVersion? { client.offer.versionRange?.upperBound }
    private var leavesVersionOut: Bool { reduced.leftOut.contains { $0.hasPrefix("SSL") } }
    private var hasNewerVersion: Bool {
        guard let newest else { return false }
        return others.contains { $0.version.map { $0 > newest } ?? false }
    }

    /// The change that helps, as far as the other connections show what the server has.
    private var advice: Fix? {
        if report.failure?.alert == .protocolVersion, hasNewerVersion, let newest {
            return Fix("accept \(newest.rawValue) beside the newer versions")
        }
        let keys = others.compactMap { $0.chain.first }.compactMap { try? CertificateDetails(certificate: $0).key }
        let isElliptic = !keys.isEmpty && keys.allSatisfy { !$0.hasPrefix("RSA") }
        let suites = client.offer.cipherSuites ?? []
        if isElliptic, !suites.isEmpty, !suites.contains(where: { $0.contains("_ECDHE_ECDSA_") }) {
            return "keep RSA beside ECDSA: serve both certificates"
        }
        guard others.contains(where: { $0.failure == nil }), !suites.isEmpty, let offered = reduced.offer?.cipherSuites
        else { return nil }
        return Fix("accept one of its cipher suites: \(shown(offered))")
    }
}
