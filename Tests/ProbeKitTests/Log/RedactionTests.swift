import Foundation
import ProbeKit
import ProbePins
import ProbeRun
import Testing

@Suite struct RedactionTests {
    @Test("[R75] what is private is left out, and what is public by its type is not") func messages() throws {
        let target = try Target("api.test:8443")
        let digest = PinDigest.sha256(of: [1])
        let message: LogMessage = "\(target) \(digest) \(Outcome.pass) \(3) \(private: "token-1") \(public: "file")"
        #expect(message.text == "api.test:8443 \(digest.hex) pass 3 <redacted> file")
    }

    @Test("[R75] a redacted value shows itself to nobody who does not ask") func redactedValues() {
        let value = Redacted("token-1")
        #expect(value.revealed == "token-1")
        var dumped = ""
        dump(value, to: &dumped)
        dump([value], to: &dumped)
        for text in ["\(value)", "\([value])", String(reflecting: value), String(reflecting: Optional(value)), dumped] {
            #expect(!text.contains("token-1"))
            #expect(text.contains("<redacted>"))
        }
        #expect(!((value as Any) is any Encodable))
    }

    @Test(
        "[R75] URLs are logged without credentials and query",
        arguments: [
            ("https://user:pass@dns.test:8443/dns-query?token=1#x", "https://dns.test:8443/dns-query"),
            ("https://dns.test/dns-query{?dns}", "https://dns.test/dns-query"),
            ("http://user:p@ss/word@proxy.test:3128", "http://proxy.test:3128"), ("user:pass@proxy", "proxy"),
            ("https://dns.test", "https://dns.test"), ("", ""),
        ]) func urls(text: String, shown: String)
    {
        #expect(LoggedURL(text).logText == shown)
    }

    @Test("[R76] the log's labels are those that people filter by") func labels() {
        #expect(
            LogLabel.allCases.map(\.rawValue) == ["certificate-pinning", "RateLimiter", "dns-model", "watch"])
    }

    @Test func peersCannotDrawInTheLog() {
        let message: LogMessage = "seen \(public: "a\u{1b}[2Jb\nc")"
        #expect(message.text == "seen a\\u{1b}[2Jb\\u{a}c")
    }
}
