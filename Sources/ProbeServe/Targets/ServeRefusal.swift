import ProbeKit

/// The reason why a request is not served, with its status.
struct ServeRefusal: Error, Hashable, Sendable {
    /// The class of the reason.
    enum Status: Int, Sendable {
        case badRequest = 400
        case forbidden = 403
        case notFound = 404
        case tooLong = 414
        /// As nginx has it: nobody reads the answer, unless a half of the connection is closed alone.
        case abandoned = 499
        case busy = 503
    }

    let status: Status
    let message: String

    init(_ status: Status, _ message: String) {
        self.status = status
        self.message = InputError.withoutPasswords(message)
    }

    /// That of a scraper that did not wait for its probe.
    static let abandoned = ServeRefusal(.abandoned, "the connection was closed before the probe ended")
}
