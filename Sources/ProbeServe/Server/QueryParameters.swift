import Foundation

/// The parameters of a request, as a form has them: a plus sign is a space. Of two with one name the first counts.
struct QueryParameters: Sendable {
    private let values: [String: String]

    init(_ query: String?) throws(ServeRefusal) {
        var values: [String: String] = [:]
        for part in (query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = pair.map { $0.replacing("+", with: " ").removingPercentEncoding }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                throw ServeRefusal(
                    .badRequest, "the query has a percent sign without two digits, or bytes that are not UTF-8")
            }
            if values[name] == nil { values[name] = value }
        }
        self.values = values
    }

    /// Returns a value; nil if it is missing or empty.
    subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}
