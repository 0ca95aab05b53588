import ProbeKit

/// A certificate that a stack stumbles over though a path without it is valid, as the reference verifier's shows: the
/// server need not send it, or it need not be an anchor.
struct SpareCertificate {
    /// The advice to leave it out.
    let fix: Fix

    /// Looks for the certificate that explains a stack's problem; nil if the reference verifier has no path, or the
    /// problem is of a certificate that every path has.
    init?(of problem: TrustReading.Problem, in connection: ConnectionEvidence) {
        guard let path = connection.referencePath, Self.mayBeOfIssuer(problem) else { return nil }
        let search = Search(cause: problem.cause, path: path, connection: connection)
        guard let fix = search.sent ?? search.anchor else { return nil }
        self.fix = fix
    }

    /// Returns true unless the problem is the leaf's. A signature that another key should have made is reported at the
    /// leaf, and so is the lack of its issuer.
    private static func mayBeOfIssuer(_ problem: TrustReading.Problem) -> Bool {
        switch problem.cause {
        case .badSignature, .unknownIssuer: true
        case .hostnameMismatch, .revoked, .tooComplex: false
        default: problem.depth != 0
        }
    }
}

/// The certificates beside the reference verifier's path, for one cause.
private struct Search {
    let cause: TrustCause
    let path: [Int]
    let connection: ConnectionEvidence

    /// Advice about a certificate that was sent: one that is refused for the cause by itself, of those first that an
    /// issuer's name makes an alternative to the path's.
    var sent: Fix? {
        let onPath = bytes
        let others = connection.presented.dropFirst().filter { !onPath.contains(connection.certificates[$0].der) }
        let names = issuers
        let twins = others.filter { index in
            Self.subject(connection.certificates[index].read).map { names.contains($0) } ?? false
        }
        let found =
            twins.first { isRefused(connection.certificates[$0].read, asIssuer: true) }
            ?? others.first { isRefused(connection.certificates[$0].read) }
        if let found { return leaveOut(found, which: reason) }
        guard !hasOwnSign else { return nil }
        return twins.first(where: hasItsPlaceTaken).map { leaveOut($0, which: reason) }
    }

    /// Returns true if the server sends another certificate with the name of this one, which the valid path has, and no
    /// further path has this one: clients with other roots may need what stands for an anchor.
    private func hasItsPlaceTaken(_ index: Int) -> Bool {
        !connection.furtherPaths.joined().contains(index) && sentIssuer(namedAs: index) != nil
    }

    /// Returns the issuer on the path that has a certificate's name and is sent.
    private func sentIssuer(namedAs index: Int) -> Int? {
        guard let subject = Self.subject(connection.certificates[index].read) else { return nil }
        return path.dropFirst().first { issuer in
            connection.certificates[issuer].source == .presented
                && Self.subject(connection.certificates[issuer].read) == subject
        }
    }

    /// Advice about an anchor that has the name of one of the path: it is refused for the cause, or has another key.
    var anchor: Fix? {
        let onPath = bytes
        let names = issuers
        for der in connection.anchors.certificates where !onPath.contains(der) {
            let read = ReadCertificate(der)
            guard Self.subject(read).map({ names.contains($0) }) ?? false,
                isNamesake(read) || isRefused(read, isAnchor: true)
            else { continue }
            let evidence = CertificateEvidence(
                read, source: .anchor, stackKey: .unreadable("it was not seen by a stack"))
            let digest = (try? evidence.digests.get()).map { " (SHA-256 \($0.cert.hex.prefix(12)))" } ?? ""
            return "take \(evidence.name)\(digest), \(reason), out of the anchors"
        }
        return nil
    }

    /// Returns true if an anchor's key explains a signature that is not its own: none of the path has it.
    private func isNamesake(_ read: ReadCertificate) -> Bool {
        guard cause == .badSignature, let key = try? read.anchor.get().key else { return false }
        return path.allSatisfy { (try? connection.certificates[$0].read.anchor.get().key) != key }
    }

    private var bytes: Set<[UInt8]> { Set(path.map { connection.certificates[$0].der }) }

    private var issuers: Set<ComparableName> {
        Set(path.dropFirst().compactMap { Self.subject(connection.certificates[$0].read) })
    }

    private static func subject(_ read: ReadCertificate) -> ComparableName? {
        guard let fields = try? read.fields.get(), let subject = fields.subject else { return nil }
        return ComparableName(subject)
    }

    /// True if a certificate with the cause shows it by itself. A signature that is another key's, say, does not.
    private var hasOwnSign: Bool { [.expired, .notYetValid, .weakKey, .weakSignature].contains(cause) }

    private var reason: String {
        switch cause {
        case .expired: "which has ended"
        case .notYetValid: "which is not valid yet"
        case .weakKey: "which has a weak key"
        case .weakSignature: "which has a weak signature"
        case .malformed: "which is malformed"
        default: "which this path does not need"
        }
    }

    /// Returns true if the rules refuse a certificate for the cause, whatever path it is on.
    ///
    /// - Parameter asIssuer: true if it would have to be a CA.
    private func isRefused(_ read: ReadCertificate, asIssuer: Bool = false, isAnchor: Bool = false) -> Bool {
        switch isAnchor ? read.anchor : read.parsed {
        case .failure(let reason): return reason.cause == cause
        case .success(let parsed):
            var problems = CertificateRules.common(parsed, at: connection.instant, depth: 1, isAnchor: isAnchor)
            if asIssuer {
                let question = TrustQuestion(chain: [], anchors: .none, name: nil, instant: connection.instant)
                problems += CertificateRules.issuer(
                    parsed, below: [], question: question, depth: 1, isAnchor: isAnchor, VerifierHabits())
            }
            return problems.contains { $0.cause == cause }
        }
    }

    private func leaveOut(_ index: Int, which reason: String) -> Fix {
        let spare = "leave \(connection.text(of: [index])), \(reason), out of what the server sends"
        // A verifier takes the first of two with the issuer's name, if it looks at nothing else.
        guard cause == .badSignature, let issuer = sentIssuer(namedAs: index) else { return Fix(spare) }
        return "\(spare), or send it behind \(connection.text(of: [issuer]))"
    }
}
