public import ProbeKit
public import ProbeLab
import ProbePlatform
import ProbeReport
import ProbeRun

extension TLSScenario {
    /// Checks the promise with a transport.
    ///
    /// - Parameter pki: makes the servers' certificates.
    /// - Returns: the cell of the matrix; also if the case could not be played, or the transport never returns.
    public func cell(of transport: any Transport, pki: LabPKI) async -> ConformanceReport.Cell {
        let name = transport.name
        let deviation = deviations[name]?.reason
        guard isAsked(of: transport) else { return .unasked(id, name, deviation) }
        let cell = ConformanceReport.Cell(
            backend: name, outcome: nil, expected: expectedOutcome(of: name), deviation: deviation, failure: nil,
            duration: .zero)
        return await cell.filled(id, within: timeout) { extend in
            let result = try await run(through: transport, pki: pki, extend: extend)
            return ConformanceReport.Cell(
                backend: name, outcome: result.outcome, expected: result.expected,
                deviation: deviation, failure: result.failure, duration: result.duration,
                evidence: .result(ReportLine(result.result)))
        }
    }
}

extension DNSScenario {
    /// Checks the promise with a resolver.
    ///
    /// - Returns: the cell of the matrix; also if the case could not be played, or the resolver never returns.
    public func cell(of resolver: any Resolver) async -> ConformanceReport.Cell {
        let name = resolver.name
        let deviation = exemptions[name]?.reason
        guard isAsked(of: resolver) else { return .unasked(id, name, deviation) }
        let cell = ConformanceReport.Cell(
            backend: name, outcome: nil, expected: expected, deviation: deviation, failure: nil, duration: .zero)
        return await cell.filled(id, within: timeout) { extend in
            let result = try await run(with: resolver, extend: extend)
            return ConformanceReport.Cell(
                backend: name, outcome: result.outcome, expected: expected, deviation: deviation,
                failure: result.failure, duration: result.duration, evidence: .result(ReportLine(result.judged)))
        }
    }
}

extension SignatureScenario {
    /// The time limit of a validator for a message of the lab.
    private static let timeout = Duration.seconds(10)

    /// Checks the promise with a validator.
    ///
    /// - Parameter pki: makes the messages, and the anchors.
    /// - Returns: the cell of the matrix; also if the case could not be played, or the validator never returns.
    public func cell(of validator: any SignatureValidator, pki: LabPKI) async -> ConformanceReport.Cell {
        let name = validator.name
        let deviation = deviations[name]?.reason
        let cell = ConformanceReport.Cell(
            backend: name, outcome: nil, expected: expectedCause(of: name)?.outcome ?? .pass, deviation: deviation,
            failure: nil, duration: .zero)
        return await cell.filled(id, within: Self.timeout) { _ in
            let result = try await run(with: validator, pki: pki)
            return ConformanceReport.Cell(
                backend: name, outcome: result.reading.outcome, expected: result.expected, deviation: deviation,
                failure: result.failure, duration: result.duration,
                evidence: .signature(SignatureEvidence(result.reading)))
        }
    }
}

extension ConformanceReport.Cell {
    /// The time that a backend gets after its deadline before it is abandoned: twelve backends on two cores are slow,
    /// and a merely late one has answered by then.
    private static let patience = Duration.seconds(15)

    /// Returns the cell of a backend that declares too little to be asked; an exemption for it is stale.
    fileprivate static func unasked(_ id: String, _ backend: String, _ deviation: String?) -> Self {
        Self(
            backend: backend, outcome: .unsupported, expected: .unsupported, deviation: deviation,
            failure: deviation.map {
                "\(id) exempts \(backend): \($0). It declares too little to be asked: the exemption is stale, take it out."
            }, duration: .zero)
    }

    /// Returns the cell of a case; this one, with the reason, if the case has no result.
    fileprivate func filled(
        _ id: String, within timeout: Duration,
        _ play: @escaping @Sendable (_ extend: @escaping @Sendable (Duration) -> Void) async throws -> Self
    ) async -> Self {
        let limit = timeout + Self.patience
        let cell = await Abandonable.run(within: limit) { extend in
            do {
                return try await play { extend($0 + Self.patience) }
            } catch {
                return with(outcome: nil, failure: "\(id) could not be played: \(error)", after: .zero)
            }
        }
        return cell
            ?? with(
                outcome: .internalError,
                failure:
                    "\(id) promises an answer within \(timeout). Seen: none in \(limit), so it was given up",
                after: limit)
    }

    private func with(outcome: Outcome?, failure: String, after duration: Duration) -> Self {
        Self(
            backend: backend, outcome: outcome, expected: expected, deviation: deviation, failure: failure,
            duration: duration)
    }
}
