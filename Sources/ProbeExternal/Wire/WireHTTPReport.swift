import ProbeKit

/// The result of an HTTP request.
struct WireHTTPReport: Decodable {
    struct Response: Decodable {
        let version: String
        let status: Int
        let date: [String]?
        let age: [String]?
        let retryAfter: [String]?
    }

    let response: Response?
    let failure: String?
    let duration: Double?

    /// - Throws: ``WireError`` if it is neither or both.
    func report() throws -> HTTPReport {
        let duration = try duration.map { try Duration.wire($0, "http.duration") }
        switch (response, failure) {
        case (let response?, nil):
            guard (100...999).contains(response.status) else { throw WireError("\(response.status) is not a status") }
            return HTTPReport(
                .response(
                    .init(
                        version: WireText.name(response.version), status: response.status,
                        date: Self.values(response.date), age: Self.values(response.age),
                        retryAfter: Self.values(response.retryAfter))),
                duration: duration)
        case (nil, let failure?):
            return HTTPReport(.unavailable(reason: WireText.sentence(failure)), duration: duration)
        default: throw WireError("http has neither or both of response and failure")
        }
    }

    /// Returns the values of a field. An empty one stays: its count is a fact.
    private static func values(_ field: [String]?) -> [String] {
        (field ?? []).prefix(ProgramLimits.entries).map(WireText.value)
    }
}
