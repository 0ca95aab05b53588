import ProbeTestSupport
import Testing

@Suite(.bounded) struct ConformanceCommandTests {
    @Test func theMatrixEndsWithTheSummary() async throws {
        let outcome = try await Probe.run(["conformance", "--filter", "pins/spki-"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("TLS CASE") == true)
        #expect(lines.contains { $0.hasPrefix("tls/pins/spki-leaf ") && $0.hasSuffix(" equal") })
        #expect(lines.contains { $0.hasPrefix("TLS: ") && $0.hasSuffix(", all equal") })
        #expect(outcome.errors.isEmpty, "progress is for terminals")
    }

    @Test func jsonHasALineForEachCaseAndBackend() async throws {
        let outcome = try await Probe.run(
            ["conformance", "--resolver", "ldns", "--filter", "dns/lists/listed", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.lines.count == 1)
        let line = try #require(outcome.lines.first)
        #expect(try Schema.load("probe-conformance-1.schema.json").violations(in: line) == [])
        #expect(line["case"] as? String == "dns/lists/listed")
        #expect(line["backend"] as? String == "ldns")
        #expect(line["outcome"] as? String == "pass")
        #expect(line["kept"] as? Bool == true)
    }

    private static func hasNetworks() async -> Bool {
        (try? await Probe.shell("PATH=$PATH:/usr/sbin:/sbin; command -v ip && unshare -rn ip link set lo up"))?.code
            == 0
    }

    /// As in many containers.
    @Test(
        .enabled("iproute2 and user namespaces are needed") { await hasNetworks() },
        arguments: [("tls/names/ip", Int32(0)), ("tls/names/ipv6", 40)])
    func aMachineWithoutIPv6(filter: String, code: Int32) async throws {
        let run = "exec \"$0\" conformance --backend gnutls --filter \(filter)"
        let outcome = try await Probe.shell(
            """
            PATH=$PATH:/usr/sbin:/sbin; exec timeout 1500 unshare -rn bash -c \
            'echo 1 > /proc/sys/net/ipv6/conf/lo/disable_ipv6; ip link set lo up; \(run)' "$0"
            """)
        #expect(outcome.code == code, "\(outcome)")
        #expect(outcome.errors.contains("note: this machine has no address ::1"), "\(outcome)")
        #expect(outcome.errors.contains(": tls/names/ipv6"), "\(outcome)")
        #expect(outcome.output.contains("tls/names/ipv4 ") == (code == 0))
    }

    /// An id is a case alone, though others begin with it.
    @Test func casesAreListedAndPickedById() async throws {
        let some = try await Probe.run(["conformance", "--list", "--filter", "dns/lists/"])
        let ids = some.output.split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        #expect(some.code == 0 && ids.contains("dns/lists/listed") && ids.allSatisfy { $0.hasPrefix("dns/lists/") })
        let all = try await Probe.run(["conformance", "--list"])
        let known = all.output.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
        let prefix = try #require(known.first { id in known.contains { $0 != id && $0.hasPrefix(id) } })
        let one = try await Probe.run(["conformance", "--list", "--filter", prefix])
        #expect(one.output.split(separator: "\n").count == 2)
        let cares = try await Probe.run(["conformance", "--list", "--resolver", "cares", "--filter", "dns/"])
        #expect(
            cares.output.split(separator: "\n").count
                < (try await Probe.run(["conformance", "--list", "--filter", "dns/"])).output.split(separator: "\n")
                .count)
        for refused in [["--format", "json"], ["--divergences"], ["--explore", "1"], ["--exemptions", "/dev/null"]] {
            #expect(try await Probe.run(["conformance", "--list"] + refused).code == 64)
        }
        #expect(try await Probe.run(["conformance", "--list", "--filter", "no/such"]).code == 64)
    }

    @Test func signaturesHaveATableOfTheirOwn() async throws {
        let outcome = try await Probe.run(["conformance", "--filter", "signature/chain/e", "--backend", "all"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("SIGNATURE CASE"))
        #expect(outcome.output.contains("OpenSSL takes the second of notAfter as expired."))
        let one = try await Probe.run(
            ["conformance", "--filter", "signature/chain/e", "--backend", "gnutls", "--format", "json"])
        #expect(one.lines.count > 3)
        #expect(one.lines.allSatisfy { $0["backend"] as? String == "gnutls" && $0["kept"] as? Bool == true })
    }

    @Test func junitHasACaseForEachPromiseAndBackend() async throws {
        let outcome = try await Probe.run(
            ["conformance", "--backend", "gnutls", "--filter", "divergences/any-purpose", "--format", "junit"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(#"<testsuite name="gnutls" tests="1" failures="0" errors="0">"#))
        #expect(outcome.output.contains(#"<testcase name="tls/divergences/any-purpose" classname="gnutls""#))
        #expect(outcome.output.contains("stacks-disagree, as is known: it accepts anyExtendedKeyUsage"))
    }

    @Test func thePageGoesToAFile() async throws {
        let outcome = try await Probe.shell(
            """
            folder=$(mktemp -d) && "$0" conformance --backend gnutls --filter tls/trust/expired --format html \
            --output "$folder/page.html" && cat "$folder/page.html"; code=$?; rm -r "$folder"; exit $code
            """)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("<!DOCTYPE html>"))
        #expect(outcome.errors.contains("gnutls: "))
    }

    /// A stale exemption is a broken promise.
    @Test func exemptionsAreRead() async throws {
        let outcome = try await Probe.shell(
            """
            file=$(mktemp) && echo '{"schema":"probe-exemptions/1","backends":{"gnutls":[{"case":"tls/pins/spki-leaf",
            "outcomes":["pin-mismatch"],"reason":"it used to"}]}}' > "$file" && "$0" conformance --backend gnutls \
            --filter tls/pins/spki-leaf --exemptions "$file"; code=$?; rm "$file"; exit $code
            """)
        #expect(outcome.code == 30, "\(outcome.errors)")
        #expect(outcome.output.contains("it used to. Seen: the promise is kept: the exemption is stale"))
    }

    /// Nobody would ever find it stale.
    @Test(arguments: ["gnutsl", "nio"]) func anExemptionOfNobodyIsReported(name: String) async throws {
        let outcome = try await Probe.shell(
            """
            file=$(mktemp) && echo '{"schema":"probe-exemptions/1","backends":{"\(name)":[{"case":"tls/pins/spki-leaf",
            "outcomes":["pin-mismatch"],"reason":"it used to"}]}}' > "$file" && "$0" conformance --backend gnutls \
            --filter tls/pins/spki-leaf --exemptions "$file"; code=$?; rm "$file"; exit $code
            """)
        #expect(outcome.code == 0)
        #expect(
            outcome.errors.contains("note: --exemptions names '\(name)', which is not a backend that is asked here"))
    }

    /// A case that a backend is never asked about would be exempted for nothing.
    @Test func anExemptionFromAnotherKindOfCaseIsRefused() async throws {
        let outcome = try await Probe.shell(
            """
            file=$(mktemp) && echo '{"schema":"probe-exemptions/1","backends":{"gnutls":[{"case":"dns/lists/listed",
            "outcomes":["dns-indeterminate"],"reason":"it is slow"}]}}' > "$file" && "$0" conformance --backend gnutls \
            --filter tls/pins/spki-leaf --exemptions "$file"; code=$?; rm "$file"; exit $code
            """)
        #expect(outcome.code == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains("gnutls is exempted from dns/lists/listed, and is not a resolver"))
    }

    @Test(arguments: [["--filter", "no-such-case"], ["--backend", "no-such-stack"], ["--format", "sarif"]])
    func badArgumentsAreUsageErrors(arguments: [String]) async throws {
        let outcome = try await Probe.run(["conformance"] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.errors.contains(arguments[1]))
    }

    /// The page is one, whatever is asked beside it.
    @Test func thePageOfDivergencesTakesNoChoice() async throws {
        for option in [
            ["--format", "json"], ["--backend", "openssl"], ["--resolver", "ldns"], ["--filter", "tls/"],
        ] {
            let outcome = try await Probe.run(["conformance", "--divergences"] + option)
            #expect(outcome.code == 64 && outcome.errors.contains(option[0]), "\(outcome)")
        }
    }
}
