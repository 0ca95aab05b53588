public import ProbeKit
import ProbePins
public import ProbePlatform

extension CacheKey {
    /// Creates the key of one connection's verdict: host, port and SNI, the dialled endpoint, the stack, all that the
    /// check asks at that instant, and the certificates the server presented. A new leaf is a miss, and so is another
    /// intermediate, a pin that has expired since, or a window that has begun or ended.
    ///
    /// A caller's own policies are included by their type only: they are judged again on every connection, and a
    /// success replaces none of them.
    ///
    /// - Parameter chain: the certificates as presented, as DER.
    public init(_ check: Check, through transport: BackendIdentity, chain: [[UInt8]], at instant: Date) {
        self.init(
            kind: .pins,
            [
                [check.target.description, check.target.name.sni ?? "", check.target.endpoint.description],
                [check.service ?? ""], [transport.description], [check.anchors.storeDigest.hex, check.trust.rawValue],
                [check.minimumTLS.rawValue], check.alpn, check.demands.map { String(reflecting: type(of: $0)) },
                [check.serverDate.rawValue], check.pins.map { Self.text($0, at: instant) },
                chain.map { PinDigest.sha256(of: $0).hex },
            ])
    }

    private static func text(_ group: PinGroup, at instant: Date) -> String {
        func text(_ last: Date?) -> String {
            last.map { "\($0.timeIntervalSince1970),\(instant > $0)" } ?? ""
        }
        let pins = group.pins.map { "\($0)<\(text(group.pinExpiries[$0]))" }.sorted().joined(separator: ",")
        let window = group.window.map { window in
            [
                "\(window.start.timeIntervalSince1970)", "\(window.end.timeIntervalSince1970)",
                "\(window.contains(instant))", window.fallback.rawValue, "\(window.maximumSkew)",
                window.onMissingDate.rawValue,
            ].joined(separator: ",")
        }
        let expiry = group.expiry.map { "\(text($0.last)),\($0.afterwards.rawValue)" }
        return [
            "\(group.position)", group.chain.rawValue, pins, window ?? "", expiry ?? "", "\(group.isEnforced)",
        ].joined(separator: ";")
    }
}
