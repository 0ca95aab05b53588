import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTrust

/// The findings about a client's connection in the client's words, with the change of the server that would help it.
struct ClientFindings {
    let client: Client
    /// The client itself; nil if it is emulated.
    let program: BackendIdentity?
    let anchors: TrustAnchors
    let evidence: ConnectionEvidence
    /// The stack that sent the offer; nil without a connection.
    let sender: String?
    /// True if a protocol in clear text comes before TLS.
    let startsTLS: Bool
    /// The decision on the same chain if any path would do, where the client follows one.
    let onAllPaths: TrustReading?
    /// True if the server's certificates can make the client accept, where another path would do.
    let canBeServed: Bool
    /// True if pins are looked for on the path above the leaf.
    let dependsOnPath: Bool
    /// The reports of the other connections of the run.
    let others: [HandshakeReport]

    var report: HandshakeReport { evidence.report }
    var reduced: ReducedOffer { ReducedOffer(client.offer) }

    /// Returns the first of the names, and how many more there are.
    func shown(_ names: [String]) -> String {
        names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
    }

    /// Rules of App Transport Security that came after the clients without a longest life.
    private static let laterRules: Set = [
        ATSCode.lifetime, ATSCode.schedule, ATSCode.purpose, ATSCode.satisfied,
    ]

    /// Returns the findings with the client's own in place of the reference's.
    func findings(_ judged: [Finding]) -> [Finding] {
        let own = judged.filter { finding in
            // A stack was asked in the client's place, which may ask for more.
            finding.code != TrustedChain.modeCode && finding.code != ChainSupplied.code
                && (finding.code != StapleRules.unasked || program == nil && client.judgesStaples)
                && !isLater(finding.code)
        }
        return own.map(worded) + unshownPath + [program.map(real) ?? emulated]
    }

    /// Returns true if a code is of a rule of 2019, and the client is older: iOS 13 and macOS 10.15 brought them (Apple
    /// 103769).
    private func isLater(_ code: String) -> Bool {
        client.habits.lifetimes.isEmpty && Self.laterRules.contains(code)
            || client.habits.acceptsCommonName && code == ATSCode.alternativeName
    }

    private func worded(_ finding: Finding) -> Finding {
        if finding.outcome == .trustFailed, let cause = TrustCause(rawValue: finding.code) {
            if let failure = programFailure { return failure }
            return (program == nil ? refusal(cause) : nil) ?? trust(cause, finding)
        }
        if finding.outcome == .handshakeFailed, finding.stage == .tls, report.failure?.isAfterHandshake != true {
            return handshake(finding)
        }
        return finding
    }

    // MARK: Trust

    /// A refusal of the reference that the client may not share; nil if it shares it.
    private func refusal(_ cause: TrustCause) -> Finding? {
        let sent = evidence.certificates.filter { $0.source == .presented }.map(\.der)
        guard let why = client.doubt(about: cause, chain: sent, roots: anchors.certificates) else { return nil }
        return .error(
            .unsupported, code: "client-not-emulated", stage: .trust,
            "it can't be judged: \(why); \(problem(cause))",
            fix: cause == .unknownIssuer
                ? "\(.serveIntermediates), so that no client has to find them"
                : "use RSA keys of 2048 bits or elliptic curves, and signatures with SHA-256")
    }

    private func problem(_ cause: TrustCause) -> String {
        evidence.referenceTrust?.problems.first { $0.cause == cause }?.message ?? cause.rawValue
    }

    private func trust(_ cause: TrustCause, _ finding: Finding) -> Finding {
        let message: String
        let fix: Fix
        if onAllPaths?.isAccepted == true, !canBeServed {
            message =
                "\(problem(cause)): it takes that issuer from its own roots (\(anchors.name)), whatever the server sends; another path would be valid"
            fix =
                "remove the certificate at fault from \(anchors.name), or serve a chain to another root in it"
        } else if onAllPaths?.isAccepted == true {
            message = "\(pathWords); \(problem(cause)), and another path would be valid"
            fix =
                cause == .expired
                ? "leave out the certificate that leads to the expired one, or have a path sent that ends elsewhere"
                : "order the chain: the leaf first, then the issuer of each, and nothing else"
        } else if cause == .selfSigned {
            message = "\(problem(cause)), and its roots (\(anchors.name)) don't have it"
            fix = "get a certificate from a CA that is in \(anchors.name)"
        } else if cause == .unknownIssuer {
            let top = evidence.certificates.last { $0.source == .presented }?.details?.issuer ?? "the issuer"
            let isLeafAlone = evidence.presented.count == 1
            message =
                isLeafAlone
                ? "\(problem(cause)), and \(otherPlaces)"
                : "its roots (\(anchors.name)) know neither '\(top)' nor a path to it"
            fix =
                isLeafAlone
                ? "\(.serveIntermediates)"
                : "serve the cross-signed intermediate of a root that is in \(anchors.name), or a certificate from such a CA"
        } else {
            message = problem(cause)
            fix = finding.remedy
        }
        return .error(.trustFailed, code: cause.rawValue, stage: .trust, message, fix: fix)
    }

    private var otherPlaces: String {
        client.missingIssuers == .fetched
            ? "the certificate names no address to fetch it from" : "it looks nowhere else"
    }

    private var pathWords: String {
        switch client.habits.paths {
        case .sentOrder: "it takes the certificates in the order in which they were sent"
        case .sentFirst: "it follows the certificates that were sent before its own roots"
        case .sentNames, .sentNamesTwice: "it follows the first certificate of each issuer's name that was sent"
        case .trustedFirst: "it follows one path, by its own roots first"
        case .allPaths: "it searches all paths"
        }
    }

    // MARK: What was emulated

    /// A program that ended or hung instead of deciding has decided nothing.
    private var programFailure: Finding? {
        guard let program, let trust = evidence.referenceTrust, !trust.isAnswered, let problem = trust.problems.first
        else { return nil }
        return .error(
            .internalError, code: "client-not-asked", stage: .trust, "it could not be asked: \(problem.message)",
            fix: Fix("start the program of \(program.name) by itself, and read what it writes to standard error"))
    }

    /// The path on which pins are looked for, where the client is a program that accepts and shows none.
    private var unshownPath: [Finding] {
        guard program != nil, dependsOnPath, report.nativeTrust?.isAccepted == true, evidence.nativePath == nil
        else { return [] }
        return [PinsMatch.pathNotShown(by: client.name, isLeafAlone: evidence.referencePath == nil)]
    }

    /// Says that the client is the library itself, by which store and on which anchor.
    private func real(_ program: BackendIdentity) -> Finding {
        let parts = ["\(program.library) \(program.version), released \(client.released)"] + rootParts
        return .note("client-real", stage: .trust, "real: " + parts.joined(separator: "; "))
    }

    private var rootParts: [String] {
        let own = client.roots != nil || client.rootsFile != nil
        let roots = "roots \(anchors.name)" + (own ? "" : ", for it brings none")
        guard let anchor = evidence.referenceTrust?.path?.last.flatMap({ try? CertificateDetails(certificate: $0) })
        else { return [roots] }
        return [roots, "anchor '\(anchor.subject)'"]
    }

    /// Says that the client is emulated, by which store, on which anchor and with which offer.
    private var emulated: Finding {
        var parts = ["\(client.library), released \(client.released)"] + rootParts
        if let sender {
            if !sentHello {
                parts.append("no ClientHello was sent")
            } else if client.offer == ClientOffer() {
                parts.append("offer of \(sender), for its own is not known")
            } else if reduced.leftOut.isEmpty {
                parts.append("its offer, sent by \(sender)")
            } else {
                parts.append("its offer, sent by \(sender) and reduced: without \(shown(reduced.leftOut))")
            }
        }
        let word = client.isApproximate ? "emulated approximately" : "emulated"
        return .note("client-emulated", stage: .trust, "\(word): " + parts.joined(separator: "; "))
    }
}
