/// Why a line of JSON is not what it should be, in a few words and without what it says.
enum JSONFault {
    static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "not JSON" }
        switch error {
        case .keyNotFound(let key, _): return "it lacks '\(key.stringValue)'"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has another type"
        default: return "not JSON"
        }
    }
}
