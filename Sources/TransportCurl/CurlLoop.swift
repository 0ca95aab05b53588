import CProbeCurl
import ProbeKit
import TransportOpenSSL

/// The thread's side of ``CurlMulti``: everything here runs on that thread, and every libcurl call but the wake-up is here.
final class CurlLoop {
    private let handle: CurlMultiHandle
    private let inbox: CurlInbox
    private let anchors = OpenSSLAnchors()
    /// What is under way, by the address of its easy handle.
    private var active: [UInt: (job: CurlJob, handshake: CurlHandshake)] = [:]

    init(_ handle: CurlMultiHandle, _ inbox: CurlInbox) {
        self.handle = handle
        self.inbox = inbox
    }

    /// Works until it is told to stop.
    func run() {
        var isStopped = false
        while !isStopped {
            for command in inbox.take() {
                switch command {
                case .start(let job): start(job)
                case .cancel(let ticket): cancel(ticket)
                case .stop: isStopped = true
                }
            }
            let status = handle.advance()
            if status != CURLM_OK { failAll(status) }
            while let (easy, code) = unsafe handle.nextDone() {
                end(unsafe Self.key(easy)) { $0.finish(code) }
            }
            // libcurl's own timers and the wake-up end the wait; the limit is for a clock that jumps.
            if !isStopped { handle.wait(milliseconds: 10_000) }
        }
        for key in active.keys { end(key) { $0.finish(Self.cancelled) } }
    }

    private func start(_ job: CurlJob) {
        guard !job.ticket.isCancelled else {
            return job.continuation.resume(returning: .init(report: HandshakeReport(failure: Self.cancelled)))
        }
        do throws(HandshakeFailure) {
            let handshake = try CurlHandshake(job.request, confirming: job.pin, anchors: anchors)
            let status = handle.add(handshake.easy)
            guard status == CURLM_OK else { throw Self.failure(status) }
            active[unsafe Self.key(handshake.easy.pointer)] = (job, handshake)
        } catch {
            job.continuation.resume(returning: .init(report: HandshakeReport(failure: error)))
        }
    }

    private func cancel(_ ticket: CurlTicket) {
        guard let key = active.first(where: { $0.value.job.ticket === ticket })?.key else { return }
        end(key) { $0.finish(Self.cancelled) }
    }

    /// Ends one handshake: its report is taken, its connection closed, and whoever waits for it goes on.
    private func end(_ key: UInt, _ finish: (CurlHandshake) -> CurlHandshake.Outcome) {
        guard let (job, handshake) = active.removeValue(forKey: key) else { return }
        let outcome = finish(handshake)
        handle.remove(handshake.easy)
        job.continuation.resume(returning: outcome)
    }

    private func failAll(_ status: CURLMcode) {
        for key in active.keys { end(key) { $0.finish(Self.failure(status)) } }
    }

    private static func key(_ easy: UnsafeMutableRawPointer) -> UInt { UInt(bitPattern: easy) }

    private static let cancelled = HandshakeFailure(.backendError, "the probe was cancelled")

    private static func failure(_ status: CURLMcode) -> HandshakeFailure {
        HandshakeFailure(
            .backendError, "libcurl: \(unsafe String(cString: curl_multi_strerror(status)))",
            nativeCode: "CURLMcode \(status.rawValue)")
    }
}
