package import CProbeCurl
import Synchronization

/// One use of an easy handle. It is set up, driven and reported on the thread of ``CurlMulti``, and freed there.
package protocol CurlTransfer: AnyObject, SendableMetatype {
    /// The transfer's result.
    associatedtype Outcome: Sendable

    /// The handle, set up and not yet started.
    var easy: CurlEasy { get }

    /// Returns the time for which to read from the peer over the connection that libcurl leaves open
    /// (CURLOPT_CONNECT_ONLY); nil if the transfer is over when libcurl has finished. Called once, then.
    func patience(after code: CURLcode) -> Duration?

    /// Reads from that connection, and returns true if it has read enough. Called when there may be something to read.
    func readFromPeer() -> Bool

    /// Returns the facts, once the transfer is over. Called once, before its connection is closed.
    func finish(_ end: CurlEnd) -> Outcome
}

extension CurlTransfer {
    /// Most transfers are over when libcurl has finished.
    package func patience(after code: CURLcode) -> Duration? { nil }

    /// There is nothing to wait for.
    package func readFromPeer() -> Bool { true }
}

/// The end of a transfer.
package enum CurlEnd {
    /// libcurl is done with it.
    case done(CURLcode)
    /// No caller waits for it any more.
    case cancelled
    /// libcurl's multi interface failed under it.
    case broken(CurlMultiError)
}

/// A transfer, or the result of one that could not be set up.
package enum CurlStart<Transfer: CurlTransfer> {
    /// It is set up.
    case begun(Transfer)
    /// It is over before it began.
    case over(Transfer.Outcome)
}

/// A transfer with a waiting caller, not yet set up.
struct CurlJob: Sendable {
    let ticket: CurlTicket
    /// Sets it up; nil if it is over before it began.
    let begin: @Sendable () -> CurlActive?
}

/// A transfer that is set up, whatever its kind.
struct CurlActive {
    let ticket: CurlTicket
    let easy: CurlEasy
    /// As in ``CurlTransfer``.
    let patience: (CURLcode) -> Duration?
    let readFromPeer: () -> Bool
    /// Takes the result; the returned closure resumes the waiting caller.
    let conclude: (CurlEnd) -> () -> Void
}

/// Identifies a transfer, and records whether it is still wanted: the cancellation may come before the start.
final class CurlTicket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() {
        cancelled.store(true, ordering: .releasing)
    }
}

/// Follows the lines of a response's head as libcurl hands them over, interim responses and all (RFC 9110 section 15.2).
package struct CurlResponseHead {
    /// True if the head of the final response is complete. libcurl itself accepts one that was cut off.
    package private(set) var isComplete = false
    /// The bytes of all heads so far.
    package private(set) var bytes = 0
    private var hasFinalStatus = false

    package init() {}

    /// Takes one line, its end included.
    package mutating func take(_ line: UnsafeRawBufferPointer) {
        bytes += line.count
        if unsafe line.starts(with: "HTTP/".utf8) {
            let status = unsafe line.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first
            hasFinalStatus = unsafe status?.first != UInt8(ascii: "1")
        }
        if hasFinalStatus, unsafe line.allSatisfy({ $0 == 13 || $0 == 10 }) { isComplete = true }
    }
}
