public import ProbeKit
public import ProbePlatform
import ProbeTrust

/// Requires that the target is reached and completes a handshake.
public struct HandshakeCompletes: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns one error for a handshake that did not complete or could not be asked for.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection else { return [] }
        if !connection.missing.isEmpty {
            let names = connection.missing.sorted().map(\.rawValue).joined(separator: ", ")
            return [
                .error(
                    .unsupported, stage: .connect,
                    "\(connection.transport.name) can't do \(names), so nothing was sent",
                    fix: "\(.chooseBackend)")
            ]
        }
        guard let failure = connection.report.failure else { return [] }
        let reason = failure.reason
        if ClientCertificateRefusal.isOne(connection.report), connection.report.clientCertificateSent == true {
            return [
                .error(
                    .handshakeFailed, code: ClientCertificateRefusal.codeOfSent, stage: .tls,
                    "the server refused the client certificate\(ClientCertificateAsked.accepted(connection.report)): \(reason)",
                    fix: ClientCertificateRefusal.fixOfSent)
            ]
        }
        if ClientCertificateRefusal.isOne(connection.report) {
            let unsent = ClientCertificateAsked.unsent(connection.report)
            return [
                .error(
                    .handshakeFailed, code: ClientCertificateRefusal.code, stage: .tls,
                    "the server asked for a client certificate\(unsent) and ended the connection without one: \(reason)",
                    fix: ClientCertificateRefusal.remedy(for: connection.report))
            ]
        }
        let outcome: Outcome =
            switch failure.code {
            case .backendError: .internalError
            case .unsupported: .unsupported
            case .localOverload: .localOverload
            case let code: code.isUnreachable ? .unreachable : .handshakeFailed
            }
        let meaning = FailureMeaning(failure, in: connection.report)
        return [
            .error(
                outcome, class: failure.cause == .temporary ? .transient : nil, code: failure.code.rawValue,
                stage: failure.code.isUnreachable ? .connect : .tls,
                meaning.map { "\($0.words): \(reason)" } ?? reason, fix: meaning?.fix ?? Self.fix(failure))
        ]
    }

    private static func fix(_ failure: HandshakeFailure) -> Fix {
        switch failure.code {
        case .nameNotFound where failure.cause == .recordLookup: "check the name, or \(.askWithoutRecords)"
        case .nameNotFound: "check the name, or \(.dialAddress)"
        case .nameLookupFailed where failure.cause == .recordLookup:
            "check that the DNS servers that were asked answer, or \(.askWithoutRecords)"
        case .nameLookupFailed: "check this machine's resolver, or \(.dialAddress)"
        case .noAddressOfFamily: "give the server an address of this family, or \(.dialAnyFamily)"
        case .serviceNotOffered: "publish a record for the service, or \(.askWithoutRecords)"
        case .recordsUnusable: "correct the name's records, or \(.askWithoutRecords)"
        case .connectionRefused: "check that the server runs, and where it listens"
        case .networkUnreachable where failure.cause == .noSocket:
            "check the path, and that the server runs"
        case .networkUnreachable: "check the route to the server"
        case .connectTimeout: "check the address and the firewall, or \(.allowTime)"
        case .proxyUnreachable where failure.nativeCode == HandshakeFailure.Code.handshakeTimeout.rawValue:
            "\(.checkProxy), and look at the proxy's load, or \(.allowTime)"
        case .proxyUnreachable: "check that the proxy runs, and \(.checkProxy)"
        case .proxyTLSFailed:
            "\(.checkProxy); if its certificate is right and not trusted, \(.trustProxy); else look in the proxy's log"
        case .proxyRefused where failure.cause == .proxyCredentials: "\(.giveProxyCredentials)"
        case .proxyRefused where failure.cause == .temporary:
            "try later; if the proxy goes on refusing, look in its log"
        case .proxyRefused: "have the proxy's operator allow this server"
        case .proxyConnectFailed: "check the name and the port; if they are right, look in the proxy's log"
        case .proxyProtocolError: "\(.checkProxy), and the protocol at its beginning"
        case .connectionReset, .connectionClosed: "look in the server's log for why it gave up on this client"
        case .startTLSRefused where failure.cause == .temporary:
            "try later; if the server goes on refusing, look in its log"
        case .startTLSRefused where failure.cause == .clientRefused:
            "look in the server's log for why it refused this client, and configure it to admit this one"
        case .startTLSRefused where failure.cause == .nameNotServed: "check the name, or configure the server for it"
        case .startTLSRefused:
            "configure the server to offer TLS, or name the port that speaks TLS from its first byte: \(.speakTLSAtOnce)"
        case .startTLSProtocolError: "check the port and its protocol; if it is right, look in the server's log"
        case .startTLSInjection:
            "update the server: what it takes from before TLS as if it came inside is an attacker's to write"
        case .notTLS: failure.clearText.map(fix) ?? "check that the port speaks TLS from its first byte"
        case .alertReceived:
            "look up the alert in the server's log; it often wants another name, version, cipher suite, group or signature"
        case .handshakeTimeout where failure.cause == .noGreeting:
            "\(.speakTLSAtOnce), if that is what it does; else look at the server's load, or \(.allowTime)"
        case .handshakeTimeout: "look at the server's load, or \(.allowTime)"
        case .chainTooLong: "configure the server to send the leaf and its intermediates, nothing else"
        case .protocolError:
            "\(.compareBackends): if that one succeeds, the stacks read this server differently"
        case .unsupported where failure.cause == .zoneBehindProxy:
            "make the connection without the proxy, or dial an address that has no zone"
        case .unsupported: "\(.chooseBackend)"
        case .localOverload:
            "give this process more processor time, memory or open files, or a scan \(.probeFewerAtOnce), and ask again"
        case .backendError: failure.backendFix
        }
    }

    /// Names the ways to the same service inside TLS: the protocol that starts it, and the port that speaks it at once.
    private static func fix(_ clearText: HandshakeFailure.ClearText) -> Fix {
        func port(_ usual: String, _ known: StartTLS...) -> Fix {
            "\(.speakStartTLS(known)), or name a port that speaks TLS from its first byte, usually \(usual)"
        }
        return switch clearText {
        case .http: "name the port that speaks TLS, usually 443"
        case .ssh: "name the port of the TLS service; SSH is a protocol of its own"
        case .smtp: port("465", .smtp)
        case .ftp: port("990", .ftp)
        case .smtpOrFTP: port("465 for SMTP and 990 for FTP", .smtp, .ftp)
        case .imap: port("993", .imap)
        case .pop3: port("995", .pop3)
        }
    }
}

/// The meaning of the alerts that name what a server wants (RFC 8446 section 6.2), and of what stacks report in place of
/// one.
struct FailureMeaning {
    /// The refusal as a clause, like `the server requires a client certificate`.
    let words: String
    let fix: Fix

    /// The meaning of a failure; nil where its name suggests no change.
    init?(_ failure: HandshakeFailure, in report: HandshakeReport) {
        switch (failure.cause, failure.alert) {
        case (.versionNotOffered, _), (_, .protocolVersion):
            words = "the server accepts none of the TLS versions that were offered"
            fix = "configure the server to accept TLS 1.2 or 1.3"
        case (.keyUsage, _):
            words = "the key usage of the server's certificate does not permit the key exchange that the server chose"
            fix =
                if report.cipherSuite == nil {
                    "reissue the certificate with the key usages digitalSignature and, for RSA key exchange, keyEncipherment"
                } else if KeyExchangePermitted.encrypts(report.cipherSuite) {
                    KeyExchangePermitted.fix
                } else {
                    "reissue the certificate with the key usage digitalSignature"
                }
        case (.clientKeyExcluded, _):
            words =
                "the server asked for a client certificate, and takes no signature by the key of the one that was given"
            fix = ClientCertificateRefusal.fixOfUnsent
        case (.legacyRenegotiation, _):
            words = "the server does not support secure renegotiation (RFC 5746)"
            fix =
                "enable secure renegotiation (RFC 5746) on the server; clients with OpenSSL 3 refuse a server without it"
        case (_, .unrecognizedName):
            guard let name = report.sniSent else {
                words = "the server wants a server name, and none was sent: an address has none (RFC 6066 section 3)"
                fix = "probe the server's name, and \(.dialAddress)"
                return
            }
            words = "the server does not know the name '\(name)'"
            fix = "check the name, or configure the server for it"
        case (_, .certificateRequired)
        where report.clientCertificateSent == false && report.clientCertificateRequested != true:
            words = "the server requires a client certificate, and did not ask for the one that was given"
            fix = "configure the server to ask for one during the handshake"
        case (_, .certificateRequired):
            words = "the server requires a client certificate"
            fix = ClientCertificateRefusal.remedy(for: report)
        case (_, .noApplicationProtocol):
            words = "the server speaks none of the application protocols that were offered (ALPN)"
            fix = "\(.offerProtocol), or configure the server for this one"
        default: return nil
        }
    }
}
