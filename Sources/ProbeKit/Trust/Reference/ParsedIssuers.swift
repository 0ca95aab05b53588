import Synchronization

/// Intermediates that were parsed before: few authorities issue for many servers.
final class ParsedIssuers: Sendable {
    private let known = Mutex<[[UInt8]: ParsedCertificate]>([:])
    private static let limit = 256
    /// Real ones are far smaller; what a hostile peer sends must not fill the memory.
    private static let maximumBytes = 8192

    /// The certificate, parsed by this call or an earlier one.
    func parse(_ der: [UInt8]) -> Result<ParsedCertificate, UnreadableCertificate> {
        if let parsed = known.withLock({ $0[der] }) { return .success(parsed) }
        let result = ParsedCertificate.parse(der)
        guard case .success(let parsed) = result, der.count <= Self.maximumBytes else { return result }
        known.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[der] = parsed
        }
        return result
    }
}
