package import ProbeKit
import ProbePins

/// Decides by the facts of a handshake whether the server may be asked for its time.
package typealias ServerApproval = @Sendable (ConnectionEvidence) async -> Bool

extension Check {
    /// Returns false if a connection with these findings fails whatever the server's time is (requirement 108): such a server
    /// is sent nothing. Also false if its time would only decide what is already decided. Pins that only report are to report
    /// what enforcing them would refuse, and so are worth the question too.
    package func asksServer(after findings: [Finding]) -> Bool {
        findings.allSatisfy { $0.severity != .error || PinsMatch.dependsOnServerTime($0) }
            && (serverDate == .always || findings.contains { PinsMatch.dependsOnServerTime($0) })
    }
}
