import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeScan

/// The answer to a line that can't be read has no password and no PIN of it.
@Suite(.bounded) struct LineSecretsTests {
    /// Returns the answer that a scan writes.
    private func answer(to line: String) throws -> MalformedTarget {
        do throws(InputError) {
            _ = try ScanEntry(line)
        } catch {
            return MalformedTarget(line: 1, bytes: Array(line.utf8), error: error)
        }
        throw Unexpected()
    }

    private struct Unexpected: Error {}

    @Test(
        "credentials and PINs are left out of the text and of the reason",
        arguments: [
            ("https://bob:s3cret@h.example/", "https://…@h.example/"),
            ("ftp://bob:s3cret@h.example", "ftp://…@h.example"),
            ("tls://bob:s3cret@h.example", "tls://…@h.example"), ("**.bob:s3cret@h.example", "…@h.example"),
            ("bob:s3cret@mail.example.com:443", "…@mail.example.com:443"), ("s3cret@h.example", "…@h.example"),
            ("192.0.2.1,bob:s3cret@h.example", "…@h.example"),
            ("bob:s3cret@192.0.2.0/24,a.test", "…@192.0.2.0/24,a.test"),
            // Each is taken apart at another place than the password's end.
            ("bob:s3cret,1@h.example", "…@h.example"), ("a,b,bob:s3cret@h.example", "…@h.example"),
            ("https://bob:s3cret/1@h.example", "https://…@h.example"), ("bob:s3cret 1@h.example", "…@h.example"),
            ("bob:1@s3cret@h.example", "…@h.example"), ("bob:\"s3cret@h.example", "…@h.example"),
            (#"{"target":"https://bob:s3cret@h.example"}"#, #"{"target":"https://…@h.example"}"#),
            (#"{"target":"a.test","name":"bob:s3cret@h"}"#, #"{"target":"a.test","name":"…@h"}"#),
            (#"{"target":"a.test","connect":"bob:s3cret@h:1"}"#, #"{"target":"a.test","connect":"…@h:1"}"#),
            (#"{"target":"bob:1\"s3cret@h.example"}"#, #"{"target":"…@h.example"}"#),
            (#"{"target":"bob:s3cret\u0040h.example"}"#, #"{"target":"…@h.example"}"#),
            (#"{"bob:s3cret@h":1}"#, #"{"…@h":1}"#), (#"{"target":"bob:s3cret@h"#, #"{"target":"…@h"#),
            ("pkcs11:token=a?pin-value=s3cret", "pkcs11:token=a?pin-value=…"),
            ("pkcs11:token=a?pin-value=1:s3cret", "pkcs11:token=a?pin-value=…"),
        ])
    func hidden(line: String, shown: String) throws {
        let answer = try answer(to: line)
        #expect(answer.text == shown)
        #expect(!"\(answer.error)".contains("s3cret"), "\(answer.error)")
    }

    @Test("credentials are looked for in all of a long line") func longLine() throws {
        let line = String(repeating: "s3cret", count: 100) + "@h.example"
        #expect(try answer(to: line).text == "…@h.example")
    }

    @Test(
        "a line without credentials keeps its reason",
        arguments: [
            (#"{"target":"a.test","pins":["spki@leaf:x"]}"#, #""spki@leaf:x""#, "pin"),
            (#"{"target":"a.test","service":"ops@a.test","timeout":0}"#, #""…@a.test""#, "timeout 0.0 is not"),
            ("two words", "two words", "'two words' is not a host name"), ("a.test:0", "a.test:0", "'0' in 'a.test:0'"),
        ])
    func kept(line: String, shown: String, reason: String) throws {
        let answer = try answer(to: line)
        #expect(answer.text.contains(shown) && answer.error.message.contains(reason), "\(answer)")
    }
}
