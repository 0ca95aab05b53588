import ProbeKit
import ProbeSHA256
import Testing
import TransportOpenSSL

/// A message whose end we pad, against OpenSSL's own functions.
@Suite struct PaddedEndTests {
    @Test func everyLengthUpTo4096AtEveryAlignment() {
        let bytes = Messages.bytes
        for length in 0...4096 {
            let message = length % 64..<length % 64 + length
            let digest = OpenSSLDigester().sha256(bytes.span.extracting(message))
            #expect(digest == Messages.expected([message])[0], "\(length) bytes")
        }
    }

    /// Nothing is read before or behind a message.
    @Test func itStaysInsideTheMessage() throws {
        try GuardedPage.with { page in
            for length in 0...260 {
                let expected = Messages.expected([UInt8](repeating: 0, count: length))
                let first = OpenSSLDigester().sha256(page.extracting(first: length))
                let last = OpenSSLDigester().sha256(page.extracting(last: length))
                #expect(first == expected && last == expected, "\(length) bytes")
            }
        }
    }
}
