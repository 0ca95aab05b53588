import ProbeKit

extension ConformanceReport {
    /// A backend whose program was lost, and the sentence that counts its faults.
    package typealias Loss = (backend: String, reason: String)

    /// Returns the report with a broken promise for each program that was lost during the run. Requests that may not have caused
    /// the fault are asked again (PROTOCOL.md, "Life of a program"), so that no other case shows it.
    ///
    /// - Parameters:
    ///   - transports: the programs that are transports.
    ///   - resolvers: those that are resolvers.
    package func addingLosses(transports: [Loss], resolvers: [Loss]) -> ConformanceReport {
        ConformanceReport(
            tls: tls + Self.row("tls", transports), dns: dns + Self.row("dns", resolvers), signatures: signatures,
            leftOut: leftOut)
    }

    private static func row(_ table: String, _ losses: [Loss]) -> [Case] {
        guard !losses.isEmpty else { return [] }
        return [
            Case(
                id: "\(table)/program/lost",
                sentence: "A program keeps running, and writes one reply to each request and nothing else.",
                source: "PROTOCOL.md, Life of a program", expected: .pass, expectedCode: nil,
                cells: losses.map { loss in
                    Cell(
                        backend: loss.backend, outcome: .internalError, expected: .pass, deviation: nil,
                        failure: loss.reason, duration: .zero)
                })
        ]
    }
}
