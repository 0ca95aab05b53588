package import ProbeKit

/// The changes that remove a problem of a chain.
extension TrustedChain {
    /// Returns what removes a problem of a connection's chain.
    package static func fix(of problem: TrustReading.Problem, in connection: ConnectionEvidence) -> Fix {
        ([.hostnameMismatch, .wrongPurpose].contains(problem.cause) ? order(of: connection) : nil)
            ?? problem.fix.map { Fix($0) } ?? SpareCertificate(of: problem, in: connection)?.fix
            ?? reference(problem, in: connection) ?? general(problem, in: connection)
    }

    /// Returns the advice for a chain that begins with a CA and has the server's own certificate behind it.
    private static func order(of connection: ConnectionEvidence) -> Fix? {
        let details = connection.presented.map { connection.certificates[$0].details }
        guard details.first??.isCA == true, let leaf = details.firstIndex(where: { $0?.isCA == false }) else {
            return nil
        }
        return "put the server's own certificate first: it is number \(leaf + 1) of \(details.count), behind a CA's"
    }

    /// Returns the reference verifier's fix for the same problem: a stack names the cause and no remedy.
    private static func reference(_ problem: TrustReading.Problem, in connection: ConnectionEvidence) -> Fix? {
        let same = connection.referenceTrust?.problems.first { known in
            known.cause == problem.cause && (problem.depth == nil || known.depth == problem.depth)
        }
        return same?.fix.map { Fix($0) }
    }

    private static func general(_ problem: TrustReading.Problem, in connection: ConnectionEvidence) -> Fix {
        switch problem.cause {
        case .expired:
            ExpiryPlace(of: problem, in: connection) == .anchor && hasOtherWay(connection)
                ? "leave out the certificate that leads to the expired one"
                : ExpiryPlace(of: problem, in: connection).replacement
        case .selfSigned where isAnchor(leafOf: connection):
            "get a certificate from a CA, and \(.giveAnchor): this one is an anchor already"
        default: remedy(of: problem.cause)
        }
    }

    /// Returns true if the reference verifier has a path without something that is sent.
    private static func hasOtherWay(_ connection: ConnectionEvidence) -> Bool {
        guard let path = connection.referencePath else { return false }
        let onPath = Set(path.map { connection.certificates[$0].der })
        return connection.presented.contains { !onPath.contains(connection.certificates[$0].der) }
    }

    private static func isAnchor(leafOf connection: ConnectionEvidence) -> Bool {
        guard let leaf = connection.presented.first else { return false }
        return connection.anchors.certificates.contains(connection.certificates[leaf].der)
    }

    /// Returns what removes a cause, if nothing more is known of it.
    static func remedy(of cause: TrustCause) -> Fix {
        switch cause {
        case .expired: ExpiryPlace.leaf.replacement
        case .notYetValid: "wait, or check the server's and your clock"
        case .unknownIssuer: "\(.serveIntermediates), or \(.giveAnchor)"
        case .selfSigned: "get a certificate from a CA, or \(.giveCopyAsAnchor)"
        case .hostnameMismatch: "issue the certificate for this name, or probe the name it is for"
        case .weakKey: "use an RSA key of 2048 bits or more, or P-256, P-384, P-521"
        case .weakSignature: "ask the CA for a certificate that is signed with SHA-256 or better"
        case .wrongPurpose: "issue the certificate for TLS servers (extended key usage serverAuth)"
        case .constraintViolated: "issue the certificate from a CA that may issue it"
        case .badSignature: "send the issuer's real certificate and an undamaged leaf"
        case .revoked: "replace the certificate"
        case .malformed: "replace the certificate by one that parses"
        case .tooComplex: "send the leaf and the intermediates of one path, nothing else"
        case .other: "\(.compareBackends)"
        }
    }
}
