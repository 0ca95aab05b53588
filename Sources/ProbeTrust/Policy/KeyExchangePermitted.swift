public import ProbeKit
public import ProbePlatform
import X509

/// Warns of a key exchange that the server's certificate does not permit: in TLS_RSA suites the client encrypts to the
/// certificate's key, which takes the key usage keyEncipherment where there is a key usage (RFC 5246 section 7.4.2).
///
/// OpenSSL does not look at it. A stack that does gives up, and ``HandshakeFailure/Cause/keyUsage`` is the failure.
public struct KeyExchangePermitted: Policy {
    /// The change that removes it.
    package static let fix: Fix = "offer ECDHE suites, or reissue the certificate with keyEncipherment"

    /// Returns true for a suite in which the client encrypts to the certificate's key.
    package static func encrypts(_ suite: String?) -> Bool { suite?.hasPrefix("TLS_RSA_") == true }

    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns one warning for a completed handshake with such a key exchange.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, connection.report.isProven,
            let suite = connection.report.cipherSuite, Self.encrypts(suite),
            let leaf = connection.presented.first,
            case .success(let parsed) = connection.certificates[leaf].read.parsed,
            let usage = parsed.extensions.keyUsage, !usage.keyEncipherment
        else { return [] }
        return [
            .warning(
                "key-exchange-not-permitted", stage: .tls,
                "the server chose \(suite), and the key usage of its certificate lacks keyEncipherment: some clients refuse that",
                fix: Self.fix)
        ]
    }
}
