package import CProbeCurl

/// One use of an easy handle. It is set up, driven and told about on the thread of ``CurlMulti``, and freed there.
package protocol CurlTransfer: AnyObject, SendableMetatype {
    /// What comes of it.
    associatedtype Outcome: Sendable

    /// The handle, set up and not yet under way.
    var easy: CurlEasy { get }

    /// How long it wants to hear the peer over the connection that libcurl leaves open (CURLOPT_CONNECT_ONLY); nil if it
    /// is over when libcurl is done. Asked once, then.
    func patience(after code: CURLcode) -> Duration?

    /// Reads over that connection; whether it has heard enough. Called when there may be something to read.
    func hear() -> Bool

    /// What was seen, once it is over. Called once, before its connection is closed.
    func finish(_ end: CurlEnd) -> Outcome
}

extension CurlTransfer {
    /// Most have heard everything when libcurl is done.
    package func patience(after code: CURLcode) -> Duration? { nil }

    /// There is nothing to wait for.
    package func hear() -> Bool { true }
}

/// How a transfer ended.
package enum CurlEnd {
    /// libcurl is done with it.
    case done(CURLcode)
    /// Nobody waits for it any more.
    case cancelled
    /// libcurl's multi interface failed under it.
    case broken(CurlMultiError)
}

/// A transfer, or what comes of one that could not be set up.
package enum CurlStart<Transfer: CurlTransfer> {
    /// It is set up.
    case begun(Transfer)
    /// It is over before it began.
    case over(Transfer.Outcome)
}
