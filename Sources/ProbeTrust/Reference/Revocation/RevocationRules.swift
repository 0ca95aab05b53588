import ProbeKit
import ProbePlatform
import X509

/// The rules for the revocation lists of a question (RFC 5280 section 6.3).
///
/// A certificate is judged if a list covers it. If its issuer's lists can't be used, the path is refused; if there is
/// none, that is a remark and not a problem, as there may be another proof. An anchor can't be revoked.
enum RevocationRules {
    /// Returns the problems that the lists reveal, or have.
    ///
    /// - Parameter path: the certificates from the leaf to the anchor.
    static func problems(
        ofPath path: [ParsedCertificate], _ lists: ParsedRevocationLists, at instant: Date, _ budget: inout SearchBudget
    ) -> [PathProblem] {
        guard !lists.isEmpty else { return [] }
        var problems = lists.problems.map { PathProblem($0) }
        for depth in path.indices.dropLast() {
            let status = status(of: path[depth], issuedBy: path[depth + 1], lists, at: instant, &budget)
            guard !budget.isSpent else {
                return [.init(.tooComplex, "the revocation lists were not checked: too much work", depth: depth)]
            }
            switch status {
            case .good, .uncovered: continue
            case .revoked(let date):
                problems.append(
                    .init(
                        .revoked, "'\(path[depth].certificate.subject)' was revoked at \(RFC3339.format(date))",
                        depth: depth))
            case .undetermined(let reason):
                problems.append(
                    .init(
                        .other,
                        "the revocation list for '\(path[depth].certificate.subject)' can't be used: \(reason)",
                        depth: depth, fix: "give a current and complete list of its issuer"))
            }
        }
        return problems
    }

    /// Returns the certificates of an accepted path that no list covers.
    static func remarks(
        ofPath path: [ParsedCertificate], _ lists: ParsedRevocationLists, at instant: Date, _ budget: inout SearchBudget
    ) -> [TrustReading.Remark] {
        guard !lists.isEmpty else { return [] }
        return path.indices.dropLast().compactMap { depth in
            guard case .uncovered = status(of: path[depth], issuedBy: path[depth + 1], lists, at: instant, &budget)
            else { return nil }
            return .note(
                "revocation-not-judged",
                "none of the given revocation lists covers '\(path[depth].certificate.subject)'")
        }
    }

    private enum Status {
        case good
        case revoked(Date)
        /// No list is about the certificate.
        case uncovered
        /// A list is, and can't be used.
        case undetermined(String)
    }

    private static func status(
        of certificate: ParsedCertificate, issuedBy issuer: ParsedCertificate, _ lists: ParsedRevocationLists,
        at instant: Date, _ budget: inout SearchBudget
    ) -> Status {
        var covered: UInt16 = 0
        var reason: String?
        for list in lists.lists(of: certificate.issuer) where list.scope.covers(certificate) {
            guard budget.spend(10) else { break }
            if let why = Self.reason(against: list, issuer, at: instant, &budget) {
                reason = reason ?? why
                continue
            }
            if let date = list.revocation(of: certificate.serial) { return .revoked(date) }
            covered |= list.scope.reasons
        }
        if covered == RevocationListScope.everyReason { return .good }
        if let reason { return .undetermined(reason) }
        return covered == 0 ? .uncovered : .undetermined("it is about some reasons for a revocation only")
    }

    /// Returns the reason why a list can't be used; nil if it can.
    private static func reason(
        against list: RevocationList, _ issuer: ParsedCertificate, at instant: Date, _ budget: inout SearchBudget
    ) -> String? {
        if let oid = list.unknownExtension { return "it has the unknown critical extension \(oid)" }
        if let usage = issuer.extensions.keyUsage, !usage.cRLSign {
            return "the key usage of '\(issuer.certificate.subject)' does not allow signing revocation lists"
        }
        switch list.isSigned(by: issuer, &budget) {
        case true?: break
        case false?: return "it is not signed with the key of '\(issuer.certificate.subject)'"
        case nil: return "it is signed with an algorithm that no public CA may use"
        }
        let second = instant.wholeSecond
        if second < list.thisUpdate { return "it is valid from \(RFC3339.format(list.thisUpdate))" }
        guard let nextUpdate = list.nextUpdate else { return "it does not say when the next one is due" }
        return second > nextUpdate ? "it expired at \(RFC3339.format(nextUpdate))" : nil
    }
}

/// The revocation lists that came with a question, read once.
struct ParsedRevocationLists: Sendable {
    /// The maximum number of lists used together.
    static let maximumCount = 64

    /// The reasons why lists can't be used for any certificate: they can't be read, or are of a kind that is not
    /// supported.
    let problems: [TrustReading.Problem]
    private let byIssuer: [ComparableName: [RevocationList]]
    /// True if there are no lists.
    let isEmpty: Bool

    init(_ lists: [[UInt8]]) {
        isEmpty = lists.isEmpty
        guard lists.count <= Self.maximumCount else {
            problems = [
                .init(
                    .tooComplex, "\(lists.count) revocation lists were given, more than are read",
                    fix: "give at most \(Self.maximumCount), those of the path's issuers")
            ]
            byIssuer = [:]
            return
        }
        var readable: [RevocationList] = []
        var problems: [TrustReading.Problem] = []
        for (index, der) in lists.enumerated() {
            do {
                let list = try RevocationList(der)
                if let kind = list.unsupportedKind {
                    problems.append(
                        .init(
                            .other, "revocation list \(index) is \(kind), which is not supported",
                            fix: "give the issuer's complete list"))
                } else {
                    readable.append(list)
                }
            } catch {
                problems.append(
                    .init(
                        .malformed, "revocation list \(index) is malformed: \(error)",
                        fix: "give the list as its issuer publishes it"))
            }
        }
        self.problems = problems
        byIssuer = Dictionary(grouping: readable, by: \.issuer)
    }

    /// Returns the lists that an issuer's name is on.
    func lists(of issuer: ComparableName) -> [RevocationList] { byIssuer[issuer] ?? [] }
}
