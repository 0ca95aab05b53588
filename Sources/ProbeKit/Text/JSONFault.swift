import Foundation

/// A short reason why a line of JSON is invalid. Of JSON itself nothing is quoted.
package enum JSONFault {
    /// Returns the reason of what `JSONDecoder` threw; a type's own error says it itself.
    ///
    /// - Parameter json: the text that was decoded: the decoder does not distinguish a value that it can't read from what is not
    ///   JSON.
    package static func reason(_ error: any Error, in json: [UInt8]) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context): return "it lacks '\(path(context.codingPath + [key]))'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let place = path(context.codingPath)
            return place.isEmpty ? "it has another type" : "'\(place)' has another type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            return "'\(path(context.codingPath))' has no such value"
        default: return fault(of: Data(json))
        }
    }

    /// Returns the reason why a text is not taken that the decoder gives no place for.
    private static func fault(of json: Data) -> String {
        if (try? JSONSerialization.jsonObject(with: json, options: .fragmentsAllowed)) != nil {
            return "a number is not whole, or outside the range of its member"
        }
        // The decoder reads strings and numbers only where a type asks for them.
        guard (try? JSONDecoder().decode(Anything.self, from: json)) != nil else { return "not JSON" }
        return "a string or a number is malformed or out of range"
    }

    /// Any JSON whose objects and lists are complete.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) {}
    }

    /// Returns where a member is, like `report.chain.2`.
    package static func path(_ keys: [any CodingKey]) -> String {
        keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
}
