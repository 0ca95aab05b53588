public import ProbeKit
public import ProbeReport
import ProbeSignatures

/// A backend's report in a case, as shown in reports.
public enum ConformanceEvidence: Encodable, Sendable {
    /// The output of `probe check`, in the schema `probe/1`.
    case result(ReportLine)
    /// A validator's answer.
    case signature(SignatureEvidence)

    /// Encodes the record itself, without its kind.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .result(let line): try line.encode(to: encoder)
        case .signature(let evidence): try evidence.encode(to: encoder)
        }
    }
}

/// A validator's answer, as reports show it.
public struct SignatureEvidence: Encodable, Sendable {
    let outcome: Outcome
    /// The signer; null if no trusted signer signed.
    @Always var signer: String?
    let findings: [Finding]

    /// Creates the record of an answer.
    public init(_ reading: SignatureReading) {
        outcome = reading.outcome
        signer = reading.signer
        findings = reading.findings
    }
}
