public import ProbeKit
public import ProbePlatform

/// Reports that certificates were judged without a connection, and which checks that leaves out.
public struct ChainSupplied: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note; nothing if there was a connection.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard evidence.connection?.report.isSupplied == true else { return [] }
        return [
            .note(
                "no-connection", stage: .connect,
                "no connection was made: the certificates are judged as if the server presented them and its clock agreed with ours; TLS parameters, a stapled OCSP response and DNS are not judged"
            )
        ]
    }
}
