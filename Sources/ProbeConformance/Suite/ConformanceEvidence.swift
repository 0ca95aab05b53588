public import ProbeKit

/// What a backend reported in a case, as reports show it.
public enum ConformanceEvidence: Encodable, Sendable {
    /// What `probe check` would print, in the schema `probe/1`.
    case result(ReportLine)
    /// A validator's answer.
    case signature(SignatureEvidence)

    /// The record itself, without a word on its kind.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .result(let line): try line.encode(to: encoder)
        case .signature(let evidence): try evidence.encode(to: encoder)
        }
    }
}
