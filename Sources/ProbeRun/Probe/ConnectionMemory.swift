import ProbeKit
import ProbePlatform
import Synchronization

/// The cached facts about one connection while it is made: whether the same check of the same server passed over the
/// same stack with the same chain a short while ago (requirement 8, decided: cache-keys).
///
/// The handshake has been made by then, and chain, pins and keys are judged on it as always. Such a success replaces
/// what costs the server more: the HTTP exchange for its time, and the connection of the library's own pin check.
final class ConnectionMemory: Sendable {
    private let cache: any SuccessCache
    private let check: Check
    private let transport: BackendIdentity
    private let instant: Date
    private let recalled = Mutex<[CacheKey: Date?]>([:])

    /// Creates a memory; nil if a check's successes do not count.
    ///
    /// - Parameter instant: the instant of the judgement.
    init?(_ cache: any SuccessCache, of check: Check, through transport: BackendIdentity, at instant: Date) {
        guard check.cacheLifetime != .never else { return nil }
        self.cache = cache
        self.check = check
        self.transport = transport
        self.instant = instant
    }

    /// Returns the time at which the check last passed with the chain of a handshake, if that still counts. A
    /// connection gets one answer, however often it asks: otherwise half of its result could depend on a record that
    /// expires meanwhile.
    func success(with report: HandshakeReport) async -> Date? {
        guard report.failure == nil, !report.chain.isEmpty else { return nil }
        let key = CacheKey(check, through: transport, chain: report.chain, at: instant)
        if let known = recalled.withLock({ $0[key] }) { return known }
        let last = await cache.lastSuccess(of: key).flatMap { check.cacheLifetime.covers($0, at: instant) ? $0 : nil }
        recalled.withLock { $0[key] = last }
        return last
    }

    /// Remembers a connection that passes, unless that depended on a remembered success, or something asked for is
    /// missing.
    func keep(_ evidence: ConnectionEvidence) async {
        guard evidence.remembered == nil, !evidence.report.chain.isEmpty else { return }
        if case .unanswered? = evidence.keyConfirmation { return }
        let findings = check.connectionPolicy.judge(Evidence(connection: evidence, model: nil), at: instant)
        guard Verdict(findings).outcome.isPass else { return }
        await cache.recordSuccess(
            of: CacheKey(check, through: transport, chain: evidence.report.chain, at: instant), at: instant,
            for: check.cacheLifetime)
    }
}
