import ProbeKit

/// Intermediates that were parsed before: few CAs issue for many servers.
final class ParsedIssuers: Sendable {
    private let known = BoundedMemory<[UInt8], ParsedCertificate>(limit: 256)
    /// Real ones are far smaller; a hostile peer's must not fill the memory.
    private static let maximumBytes = 8192

    /// Returns the certificate, parsed by this call or an earlier one.
    func parse(_ der: [UInt8]) -> Result<ParsedCertificate, UnreadableCertificate> {
        if let parsed = known[der] { return .success(parsed) }
        let result = ParsedCertificate.parse(der)
        if case .success(let parsed) = result, der.count <= Self.maximumBytes { known[der] = parsed }
        return result
    }
}
