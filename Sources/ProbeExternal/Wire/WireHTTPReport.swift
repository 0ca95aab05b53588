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
            guard (100...999).contains(response.status) else { throw WireError("\(response.status) is no status") }
            return HTTPReport(
                .response(
                    .init(
                        version: PrintableText.escape(response.version), status: response.status,
                        date: response.date ?? [], age: response.age ?? [], retryAfter: response.retryAfter ?? [])),
                duration: duration)
        case (nil, let failure?): return HTTPReport(.none(PrintableText.escape(failure)), duration: duration)
        default: throw WireError("http has neither or both of response and failure")
        }
    }
}
