public import ProbeKit
public import ProbePlatform

/// Requires that the presented chain is trusted for the target's name, by the stack and by the reference verifier.
public struct TrustedChain: Policy {
    private let mode: TrustMode

    /// The code of the note about a mode.
    package static let modeCode = "trust-mode"

    /// Creates a policy; any mode but `both` is mentioned in a note.
    public init(_ mode: TrustMode = .both) {
        self.mode = mode
    }

    /// Returns one error for a refusal or a disagreement, and one for each further cause; or one for a stack whose decision
    /// counts and that gave none.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        // An incomplete handshake is reported by another policy; trust may still be judged on the evidence.
        guard let connection = evidence.connection, connection.missing.isEmpty else { return [] }
        let name = connection.transport.name
        guard let native = connection.report.nativeTrust, let reference = connection.referenceTrust else {
            return connection.report.failure == nil ? [unread(name)] : []
        }
        // A stack that does not decide does not refuse, and so does not disagree either.
        if mode != .reference, let failure = HandshakeFailure(without: native) {
            return connection.report.failure == nil ? [undecided(name, failure)] : []
        }
        switch mode {
        case .both:
            let unjudged = revocation(connection, native, reference)
            guard native.isAccepted == reference.isAccepted else {
                return [disagreement(connection, native: native, reference: reference)] + unjudged
            }
            return refusals(reference, connection, by: "the stack and the reference verifier")
                + remarks(reference, connection) + unjudged
        case .native:
            return [note("only \(name)'s own trust decision counts, as asked")] + refusals(native, connection, by: name)
                + revocation(connection, native, reference)
        case .reference:
            return [note("only the reference verifier's trust decision counts, as asked")]
                + refusals(reference, connection, by: "the reference verifier")
                + remarks(reference, connection)
        }
    }

    private func note(_ text: String) -> Finding { .note(Self.modeCode, stage: .trust, text) }

    /// A handshake without certificates must not pass for a trusted one.
    private func unread(_ name: String) -> Finding {
        .error(
            .internalError, code: "trust-unread", stage: .trust,
            "\(name) completed the handshake and reported no chain, or no trust decision on it",
            fix: "report this as a fault of the backend")
    }

    private func undecided(_ name: String, _ failure: HandshakeFailure) -> Finding {
        .error(
            .internalError, code: failure.code.rawValue, stage: .trust,
            "\(name) gave no trust decision: \(failure.reason)", fix: failure.backendFix)
    }

    private func refusals(
        _ reading: TrustReading, _ connection: ConnectionEvidence, by whom: String
    ) -> [Finding] {
        var seen: Set<TrustCause> = []
        return reading.problems.filter { seen.insert($0.cause).inserted }.map { problem in
            .error(
                .trustFailed, code: problem.cause.rawValue, stage: .trust, "\(whom) refused: \(problem.message)",
                fix: Self.fix(of: problem, in: connection))
        }
    }

    private func remarks(_ reading: TrustReading, _ connection: ConnectionEvidence) -> [Finding] {
        reading.remarks.map { remark in
            switch remark.severity {
            case .warning where remark.code == StapleRules.unasked: unasked(remark, connection)
            case .warning: .warning(remark.code, stage: .trust, remark.message, fix: Fix(remark.fix))
            case .note: .note(remark.code, stage: .trust, remark.message)
            }
        }
    }

    /// Returns the warning that a demanded staple was not asked for, with the reason.
    private func unasked(_ remark: TrustReading.Remark, _ connection: ConnectionEvidence) -> Finding {
        guard !connection.report.isSupplied else {
            return .warning(
                remark.code, stage: .trust, "\(remark.message): a chain without a connection comes without one",
                fix: Fix(remark.fix))
        }
        return .warning(
            remark.code, stage: .trust, "\(remark.message): \(connection.transport.name) can't ask for it",
            fix: "\(.chooseBackend)")
    }

    /// Returns the finding that the stack's decision does not cover revocation: always if it alone counts, else if
    /// there was a staple to judge.
    private func revocation(
        _ connection: ConnectionEvidence, _ native: TrustReading, _ reference: TrustReading
    ) -> [Finding] {
        let name = connection.transport.name
        let hasStaple = connection.report.ocspStaple != nil
        guard !native.judgesRevocation, hasStaple || mode == .native else { return [] }
        let message =
            "\(name) did not judge revocation: its library's ordinary client "
            + (hasStaple ? "ignores the stapled OCSP response that came" : "asks for no OCSP response")
        guard mode == .native, native.isAccepted,
            let revoked = reference.problems.first(where: { $0.cause == .revoked })
        else { return [.note("revocation-not-judged", stage: .trust, message)] }
        return [
            .warning(
                "revocation-not-judged", stage: .trust, "\(message); by that response \(revoked.message)",
                fix: Self.remedy(of: .revoked))
        ]
    }

    private func disagreement(
        _ connection: ConnectionEvidence, native: TrustReading, reference: TrustReading
    ) -> Finding {
        let name = connection.transport.name
        let refusing = native.isAccepted ? reference : native
        let why = refusing.problems.first.map { "\($0.cause.rawValue): \($0.message)" } ?? "no reason given"
        let who =
            native.isAccepted
            ? "\(name) accepts, the reference verifier refuses" : "\(name) refuses, the reference verifier accepts"
        return .error(
            .stacksDisagree, stage: .trust, "\(who): \(why)",
            fix: refusing.problems.first.map { remedy(of: $0, in: connection) }
                ?? "fix the chain so that both accept it")
    }

    /// Returns what has both verifiers accept the server, for one of the problems of the one that refuses it.
    private func remedy(of problem: TrustReading.Problem, in connection: ConnectionEvidence) -> Fix {
        let fix = Self.fix(of: problem, in: connection)
        // The chain may stay as it is if the staple alone is at fault.
        return StapleRemedy.isOne(problem.fix) ? fix : "fix the chain so that both accept it: \(fix)"
    }
}
