import ProbeKit
import Testing

/// Names outside ASCII, by UTS 46 and IDNA 2008.
@Suite struct InternationalNameTests {
    @Test(
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
            // Decomposed, with a full-width letter and an ideographic full stop.
            ("bu\u{308}cher。example", "xn--bcher-kva.example"), ("ｂücher.example", "xn--bcher-kva.example"),
            // Not transitional: ß is a letter of its own.
            ("faß.example", "xn--fa-hia.example"), ("παράδειγμα.δοκιμή", "xn--hxajbheg2az3al.xn--jxalpdlp"),
            ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("bücher.example.", "xn--bcher-kva.example"),
        ])
    func formsInASCII(text: String, expected: String) throws {
        #expect(try ServerName(text).description == expected)
    }

    @Test(
        arguments: [
            ("bücher.example", "bücher.example"), ("xn--fa-hia.example", "faß.example"),
            ("XN--BCHER-KVA.example", "bücher.example"),
        ])
    func formsForPeople(text: String, expected: String) throws {
        #expect(try ServerName(text).unicode == expected)
    }

    /// A label that is not the A-label of its decoded form is shown as it stands.
    @Test(arguments: ["example.test", "xn--.test", "xn--a.test", "xn--zzzzzz99999.test", "192.0.2.1"])
    func nothingElseIsShown(text: String) {
        let name = try? ServerName(text)
        #expect(name?.unicode == nil)
    }

    @Test(
        arguments: [
            ("a\u{200d}b.test", "a\u{200d}b"), ("ab--cd.é\u{301f}", "IDNA refuses"), ("é..test", "empty"),
            ("\u{378}.test", "IDNA refuses"), ("é" + String(repeating: "x", count: 70) + ".test", "IDNA refuses"),
            ("a/é.test", "not a host name"), ("a é.test", "not a host name"),
        ])
    func refusedWithTheReason(text: String, expected: String) {
        do throws(InputError) {
            let name = try ServerName(text)
            // Mapped to ASCII it has to be a host name like any other.
            Issue.record("\(name)")
        } catch {
            #expect(error.message.contains("not a host name"), "\(error)")
        }
    }

    @Test(
        arguments: [
            ("xn--bcher-kva.example:8443", "bücher.example:8443"),
            ("smtp://mail.xn--bcher-kva.example:25", "smtp://mail.bücher.example:25"),
            ("[2001:db8::1]:443", nil), ("api.example.com:443", nil),
        ] as [(String, String?)])
    func targetsAreShownWhole(text: String, expected: String?) {
        #expect(ServerName.unicode(in: text) == expected)
    }

    @Test func whateverTakesANameTakesThese() throws {
        #expect("\(try Target("https://bücher.example/x"))" == "xn--bcher-kva.example:443")
        #expect("\(try Endpoint("bücher.example:53"))" == "xn--bcher-kva.example:53")
        #expect("\(try DNSName("modelle.bücher.example"))" == "modelle.xn--bcher-kva.example")
    }
}
