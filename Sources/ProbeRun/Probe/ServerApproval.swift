package import ProbeKit
import ProbePins

/// Decides by the facts of a handshake whether the server may be asked for its time.
package typealias ServerApproval = @Sendable (ConnectionEvidence) async -> Bool

extension Check {
    /// Returns false if a connection with these findings fails whatever the server's time is (requirement 108): such a server
    /// is sent nothing. Also false if its time would only decide what is already decided.
    package func asksServer(after findings: [Finding]) -> Bool {
        findings.allSatisfy { $0.severity != .error || $0.code == PinsMatch.awaitsServerTime }
            && (serverDate == .always || findings.contains { $0.code == PinsMatch.awaitsServerTime })
    }
}
