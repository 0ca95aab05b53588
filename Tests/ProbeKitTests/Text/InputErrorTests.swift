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
        ])
    func others(message: String) { #expect(InputError(message, remedy: "").message == message) }
}
