import ProbeKit
import Testing

/// The messages about inputs, which may be quoted where another input is meant.
@Suite struct InputErrorTests {
    @Test(
        "no message shows a password",
        arguments: [
            ("'tls://bob:s3cret@h.test' is a", "'tls://…@h.test' is a"),
            ("'https://s3cret@h.test/a' is", "'https://…@h.test/a' is"), ("x 'bob:s3cret@h.test'", "x '…@h.test'"),
            ("**.bob:s3cret@h.test: a\nb", "…@h.test: a\nb"), ("[bob:s3cret@::1]:443", "[…@::1]:443"),
            ("'bob:s3/cr@et@h.test' is", "'…@h.test' is"), ("'bob:s3://cret@h.test'", "'…@h.test'"),
            ("add(\"bob:s3cret@h\") in", "…@h\") in"),
            ("bob:s3cret@[::1]:443", "…@[::1]:443"), ("https://bob:s3/cret@h.test", "https://…@h.test"),
            ("https://h.test/?u=https://bob:s3cret@g.test", "https://…@g.test"), ("/a,bob:s3cret@h", "/a,…@h"),
            ("https://h.test/a@1,bob:s3cret@h", "https://h.test/a@1,…@h"), ("//bob:s3cret@h.test", "…@h.test"),
            ("/a/https://bob:s3cret@h.test", "…@h.test"), ("unix://bob:s3cret@h.test", "unix://…@h.test"),
            ("bob:s3cret:@h.test", "…@h.test"), ("bob:s3;cert@h.test", "…@h.test"), ("bob:s3cret@{host}", "…@{host}"),
            ("bob:s3cret@\u{301}h", "…@\u{301}h"),
            ("https://bob:#s3cret@h.test", "https://…@h.test"), ("https://bob:7/s3cret@h.test", "https://…@h.test"),
            ("https://us/er:s3cret@h.test", "https://…@h.test"), ("https://bob.x:/s3cret@h.test", "https://…@h.test"),
        ])
    func passwords(message: String, shown: String) {
        let error = InputError(message, remedy: message)
        #expect(error.message == shown && error.remedy == shown)
    }

    @Test(
        "other messages stay as they are",
        arguments: [
            "write one like spki@leaf:sha256:BASE64", "'mozilla@2021-05' is not a day",
            "leave out what is before its '@'", "a.yml:3: 'ops@a.test' is", "https://a.test and b@c",
            "  two  spaces\n\tand lines @ ", "'https://@h'", "ALL:@SECLEVEL=0", "",
            "DEFAULT:!aNULL:@SECLEVEL=0", "'pkcs11:token=x;object=bob@corp'", "unix:/run/x:1/bob@corp",
            "'cert:sha256:00;cert@leaf:sha256:zz' is", "cert@leaf:sha256:00,rawkey@ca:sha256:zz",
            "@{kTSKSwizzle:@NO, kTSKPinnedDomains:@{", "@{@\"a:b\":@[@\"c\",@\"d\"]}", "kTSKReportUris:@[", "f(a:@(1))",
            "/tmp/x:1/bob@corp.pem", "'/etc/ssl/a:b@c.pem'", #"C:\Users\bob@corp\a.pem"#, "./a:b@c.pem", "../a:b@c.pem",
            "https://h.example/pkg@1/ca.pem", "'https://h.example:8443/a:b@1'", "https://[::1]/a@1",
            "file:///a:b@c.pem",
            "https://h.example?a@b", "https://h.example#a:b@c", "/a@1,/b@2",
        ])
    func others(message: String) { #expect(InputError(message, remedy: "").message == message) }

    @Test("a pin's kind is not a user", arguments: PinKind.allCases) func pinKinds(kind: PinKind) {
        let message = "\(kind.rawValue):sha256:00;\(kind.rawValue)@leaf:sha256:zz"
        #expect(InputError(message, remedy: "").message == message)
    }

    @Test("what is quoted in part has no password either") func quoting() {
        #expect(InputError.quoting("bob:s3cret@h.test", limit: 10) == "…@h.test")
        #expect(InputError.quoting("tls://bob:s3cret@h.test", limit: 8) == "tls://…@…")
        #expect(InputError.quoting("abc"[...], limit: 3) == "abc" && InputError.quoting("abcd", limit: 3) == "abc…")
    }

    @Test("a password at the place where a text is cut is blanked") func cutTexts() {
        let readers: [(String) throws -> Void] = [
            { _ = try DNSAnchor("a. IN \($0)") }, { _ = try TrustedSigner.SerialNumber(decimal: $0) },
        ]
        for count in 60..<120 {
            let text = String(repeating: "x", count: count) + " bob:s3cret@h.test"
            for read in readers {
                let error = #expect(throws: InputError.self) { try read(text) }
                #expect(error?.message.contains("s3c") == false, "\(error as Any)")
            }
        }
    }
}
