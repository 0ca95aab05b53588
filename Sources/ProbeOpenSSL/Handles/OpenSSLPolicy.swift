import CProbeOpenSSL
package import ProbeKit
import ProbeNet

/// The versions and the security level of a handshake: those of the request, which the settings of the machine narrow where
/// somebody asked for them.
package enum OpenSSLPolicy {
    /// The level by the settings, or the library's own.
    package static let defaultLevel = cprobe_default_security_level()

    private static let defaultVersions = {
        var (oldest, newest): (CInt, CInt) = (0, 0)
        unsafe cprobe_default_versions(&oldest, &newest)
        return (
            oldest: TLSVersion(wireValue: UInt16(clamping: oldest)),
            newest: TLSVersion(wireValue: UInt16(clamping: newest))
        )
    }()

    /// Returns the level for a handshake, that of an ordinary client. Versions before TLS 1.2 need SHA-1.
    package static func securityLevel(for versions: ClosedRange<TLSVersion>) -> CInt {
        versions.lowerBound >= .tls12 ? defaultLevel : 0
    }

    /// Sets the rule by which a context judges what it negotiates, before it makes a connection. The level of the settings is
    /// for certificates too, those of the client.
    package static func setRule(ofContext context: OpaquePointer) {
        unsafe cprobe_ctx_set_security_rule(context, SystemSettings.areAsked ? 0 : 1)
    }

    /// Returns the versions of a request that the settings leave; all of them if none is left.
    package static func versions(of request: ClosedRange<TLSVersion>) -> ClosedRange<TLSVersion> {
        guard SystemSettings.areAsked else { return request }
        let oldest = max(request.lowerBound, defaultVersions.oldest ?? request.lowerBound)
        let newest = min(request.upperBound, defaultVersions.newest ?? request.upperBound)
        return oldest <= newest ? oldest...newest : request
    }
}
