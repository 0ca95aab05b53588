package import ProbeKit

/// The fixes for a list of which nothing is known. To ask again, or another server, helps where the way to the answer is at
/// fault, and not where the zone is.
extension ModelListed {
    /// Returns what removes the doubt about an answer.
    func fix(_ doubt: DNSDoubt, _ answer: ModelEvidence.Answer) -> Fix {
        switch doubt {
        case .unanswered(let failure): fix(failure)
        case .unusable(let fault): fix(fault, answer)
        }
    }

    private func fix(_ failure: DNSFailure) -> Fix {
        switch failure.code {
        case .badQuery where failure.cause == .unaskedName: "\(.askResolver)"
        case .badQuery: "correct what is asked, or of whom"
        case .localOverload: "give this process more processor time, and ask again"
        case .backendError: "\(.askResolver), and see why this one failed"
        case .unreachable where failure.cause == .noAddress:
            "publish an address of the name server, or take it out of the zone's name servers\(Self.end)"
        case .unreachable where asksNameServer: "ask from a machine that has a route to the name server\(Self.end)"
        case .tls: Self.fix(certificate: failure.cause)
        case .serverPin: "ask the operator of the DNS server whether its key was replaced\(Self.end)"
        case .http: "check the port of the DNS server's URL, or ask \(.askServer)\(Self.end)"
        case .httpContent: "check the path of the DNS server's URL, or ask \(.askServer)\(Self.end)"
        case .httpStatus: Self.fix(status: failure.cause)
        default: usual
        }
    }

    private func fix(_ fault: ReplyFault, _ answer: ModelEvidence.Answer) -> Fix {
        let (host, owner) = (answer.host, answer.owner)
        return switch fault.code {
        case .stackNotAsked: "\(.askResolver)"
        case .insecure: "\(Fix.signZone)\(Self.end)"
        case .bogus: "sign the zone again, or correct the trust anchor\(Self.end)"
        case .serverFailure where answer.report.attempts.last?.extendedErrors.contains(where: \.isBogus) ?? false:
            "sign the zone again: the DNS server's own validation refuses it\(Self.end)"
        case .aliasLoop, .aliasChain, .aliasConflict:
            "publish one CNAME record that leads straight from \(host) to the list, with no TXT record beside it\(Self.end)"
        // A name server answers for its own zones alone, and what follows the alias is not its to prove.
        case .noProof where asksNameServer && owner != host, .referral where asksNameServer && owner != host:
            "ask about \(owner): the alias \(host) leads there, out of the zone\(Self.end)"
        default: usual
        }
    }

    /// The words for the faults of a server.
    private var usual: Fix {
        guard asksNameServer else { return "ask again, or \(.askServer)\(Self.end)" }
        return "\(Fix.serveZone)\(Self.end)"
    }

    /// A server's failure is not held against the model.
    private static let end = "; nothing is said against the model"

    /// A CA that is added helps against nothing but an unknown one.
    private static func fix(certificate cause: DNSFailure.Cause?) -> Fix {
        let unknown: Fix =
            "check the DNS server's name; if it is right, \(.trustServer), or ask \(.askServer)\(end)"
        guard case .certificate(let cause)? = cause else { return unknown }
        return switch cause {
        case .unknownIssuer, .selfSigned, .other: unknown
        case .expired: "have the DNS server's operator renew its certificate, or ask \(.askServer)\(end)"
        case .notYetValid:
            "check this machine's clock; if it is right, ask \(.askServer) until the certificate is valid\(end)"
        case .hostnameMismatch: "check the DNS server's name, or ask \(.askServer)\(end)"
        default: "have the DNS server's operator replace its certificate, or ask \(.askServer)\(end)"
        }
    }

    /// RFC 9110 section 15, and RFC 6585 section 4 for 429.
    private static func fix(status cause: DNSFailure.Cause?) -> Fix {
        guard case .status(let status)? = cause else {
            return "check the DNS server's URL, or ask \(.askServer)\(end)"
        }
        return switch status {
        case 301, 302, 303, 307, 308: "give the URL that the DNS server redirects to, or ask \(.askServer)\(end)"
        case 401, 403, 407: "have the DNS server's operator admit this client, or ask \(.askServer)\(end)"
        case 404, 405: "check the path of the DNS server's URL, or ask \(.askServer)\(end)"
        case 429: "ask less often, or ask \(.askServer)\(end)"
        case 500...: "ask later, or ask \(.askServer): the fault is the DNS server's own\(end)"
        default: "check the DNS server's URL, or ask \(.askServer)\(end)"
        }
    }
}

extension Fix {
    /// The words for a zone without signatures.
    package static let signZone: Fix = "sign the zone, and publish its DS record in the zone above"
    /// The words for a name server that does not answer for its zone.
    package static let serveZone: Fix = "serve the zone on it, or take it out of the zone's name servers"
}
