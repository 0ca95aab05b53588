import ProbeKit

/// The duration of each step, in seconds.
struct TimingsRecord: Encodable, Sendable {
    @Always var connect: Double?
    @Always var handshake: Double?
    @Always var trust: Double?
    @Always var dns: Double?

    init(_ evidence: Evidence) {
        let timings = evidence.connection?.report.timings
        connect = timings?.connect?.inSeconds
        handshake = timings?.handshake?.inSeconds
        trust = timings?.trust?.inSeconds
        dns = evidence.model?.duration.inSeconds
    }
}
