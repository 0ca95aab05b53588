package import CProbeCurl

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
    func hear() -> Bool

    /// Returns the facts, once the transfer is over. Called once, before its connection is closed.
    func finish(_ end: CurlEnd) -> Outcome
}

extension CurlTransfer {
    /// Most transfers are over when libcurl has finished.
    package func patience(after code: CURLcode) -> Duration? { nil }

    /// There is nothing to wait for.
    package func hear() -> Bool { true }
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
