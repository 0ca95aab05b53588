import CProbeCurl

/// The thread's side of ``CurlMulti``: everything here runs on that thread, and every libcurl call but the wake-up is here.
final class CurlLoop {
    private let handle: CurlMultiHandle
    private let inbox: CurlInbox
    /// What is under way, by the address of its easy handle.
    private var active: [UInt: CurlActive] = [:]

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
            if status != CURLM_OK { for key in active.keys { end(key, .broken(CurlMultiError(code: status))) } }
            while let (easy, code) = unsafe handle.nextDone() {
                end(unsafe Self.key(easy), .done(code))
            }
            // libcurl's own timers and the wake-up end the wait; the limit is for a clock that jumps.
            if !isStopped { handle.wait(milliseconds: 10_000) }
        }
        for key in active.keys { end(key, .cancelled) }
    }

    private func start(_ job: CurlJob) {
        guard let transfer = job.begin() else { return }
        guard !job.ticket.isCancelled else { return transfer.conclude(.cancelled)() }
        let status = handle.add(transfer.easy)
        guard status == CURLM_OK else { return transfer.conclude(.broken(CurlMultiError(code: status)))() }
        active[unsafe Self.key(transfer.easy.pointer)] = transfer
    }

    private func cancel(_ ticket: CurlTicket) {
        guard let key = active.first(where: { $0.value.ticket === ticket })?.key else { return }
        end(key, .cancelled)
    }

    /// Ends one transfer: its outcome is taken, its connection closed, and whoever waits for it goes on.
    private func end(_ key: UInt, _ end: CurlEnd) {
        guard let transfer = active.removeValue(forKey: key) else { return }
        let resume = transfer.conclude(end)
        handle.remove(transfer.easy)
        resume()
    }

    private static func key(_ easy: UnsafeMutableRawPointer) -> UInt { UInt(bitPattern: easy) }
}
