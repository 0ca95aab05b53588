import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// A value that an option can't take is refused in words of ours, which name the option.
@Suite(.bounded) struct OptionValueTests {
    private static let refusals: [(arguments: [String], message: String)] = [
        (["--at", "noon"], "--at 'noon'"),
        (["--timeout", "0"], "--timeout '0' is not a time to wait"),
        // The argument parser would take these for options.
        (["--timeout", "-1"], "--timeout '-1' is not a time to wait"),
        (["--every", "-0.5"], "--every must be 0.1 to 604800 seconds"),
        (["--warn-days", "-3"], "--warn-days must be 0 to 3650 days"),
        (["--connect", "nowhere:0"], "--connect "),
        (["--trust", "blind"], "--trust 'blind' is unknown"),
        (["--trust", "blind"], "choose both, native or reference"),
        (["--min-tls", "3"], "--min-tls '3' is not a version of TLS"),
        (["--pin-chain", "x"], "choose presented or validated"),
        (["--server-date", "x"], "choose when-it-decides, always or never"),
        (["--pin", "x"], "--pin 'x'"),
        (["--alpn", ""], "--alpn '' has no usable length"),
        (
            ["--alpn", String(repeating: "x", count: 30) + " bob:s3cret@" + String(repeating: "h", count: 250)],
            "--alpn '\(String(repeating: "x", count: 30)) …@hhhhhhh…' has no usable length"
        ),
        (["--expect-certificate", "a.pem@first-0"], "--expect-certificate 'first-0' is not a position"),
        (["--emulate", "ecall"], "--emulate ecall is about services that share pins"),
        (["--emulate", "x"], "--emulate 'x' is unknown"),
        (["--expires-within", "soon"], "--expires-within 'soon'"),
        (["--dnssec", "x"], "choose off, prefer or require"),
        (["--txt-strings", "x"], "choose joined or separate"),
        (["--edns-size", "5"], "--edns-size 5 is not a UDP size"),
        (["--edns-size", "70000"], "--edns-size 70000 is not a UDP size"),
        (["--model", "a,b"], "--model "),
        (["--dns-connect", "x:0"], "--dns-connect "),
        (["--every", "0"], "--every must be 0.1 to 604800 seconds"),
        (["--every", "often"], "--every must be 0.1 to 604800 seconds"),
        (["--jitter", "101"], "--jitter must be 0 to 100 percent"),
        (["--rounds", "0"], "--rounds must be 1 or more"),
        (["--warn-days", "3651"], "--warn-days must be 0 to 3650 days"),
    ]

    @Test(arguments: refusals.indices) func aRefusalNamesTheOption(_ index: Int) async throws {
        let (arguments, message) = Self.refusals[index]
        let outcome = try await Probe.run(["watch", "good.test"] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.errors.hasPrefix("probe: ") && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test func wordsAreAlternatives() {
        #expect(Words.alternatives(["a"]) == "a" && Words.alternatives(["a", "b", "c"]) == "a, b or c")
    }
}
