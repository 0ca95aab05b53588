public import ProbeKit
import ProbeSignatures

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
