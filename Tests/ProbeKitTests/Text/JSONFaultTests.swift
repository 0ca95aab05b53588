import Foundation
import ProbeKit
import Testing

/// A line that the decoder refuses without a place is not JSON, or has a value that its member can't have.
@Suite struct JSONFaultTests {
    private struct Line: Decodable {
        let number: UInt8?
        let fraction: Double?
    }

    @Test(arguments: [
        (#"{"number":300}"#, "a number is not whole, or outside the range of its member"),
        (#"{"number":1.5}"#, "a number is not whole, or outside the range of its member"),
        (#"{"fraction":1e400}"#, "a string or a number is malformed or out of range"),
        (#"{"number":1"#, "not JSON"), ("number", "not JSON"), (#"{"number":"1"}"#, "'number' has another type"),
    ])
    func aNumberIsDistinguishedFromWhatIsNotJSON(text: String, reason: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        }
        #expect(JSONFault.reason(error, in: Array(text.utf8)) == reason)
    }
}
