import Foundation

/// A short reason why a line of JSON is invalid. Of JSON itself nothing is quoted.
package enum JSONFault {
    /// Returns the reason of what `JSONDecoder` threw; a type's own error says it itself.
    package static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context): return "it lacks '\(path(context.codingPath + [key]))'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let place = path(context.codingPath)
            return place.isEmpty ? "it has another type" : "'\(place)' has another type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "'\(path(context.codingPath))' has no such value"
        default: return "not JSON"
        }
    }

    /// Returns where a member is, like `report.chain.2`.
    private static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
