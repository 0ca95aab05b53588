import ProbeKit

/// The server's time over HTTP, as shown in reports.
struct HTTPRecord: Encodable, Sendable {
    @Always var version: String?
    @Always var status: Int?
    /// The server's time, corrected by `Age`.
    @Always var date: String?
    /// The seconds our clock is ahead of it.
    @Always var skew: Int?
    /// The reason why the date is not known.
    @Always var failure: String?

    /// Creates the record; nil if nothing was requested.
    init?(_ connection: ConnectionEvidence) {
        guard let http = connection.report.http else { return nil }
        version = http.response?.version
        status = http.response?.status
        switch connection.serverTime {
        case .known(let instant, let seconds):
            (date, skew, failure) = (RFC3339.format(instant), seconds, nil)
        case .unknown(let reason), .notOffered(let reason):
            (date, skew, failure) = (nil, nil, PrintableText.escape(reason))
        case nil:
            (date, skew, failure) = (nil, nil, nil)
        }
    }
}
