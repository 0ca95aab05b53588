import ProbeKit
import ProbeRun
import Testing

@testable import ProbeReport

/// Results as test reports: a case for the backends that come to the same.
@Suite struct JUnitReportTests {
    private static let results = ["openssl", "gnutls", "nio"].map { stack in
        GivenResult.of(
            stack,
            [
                .error(
                    .trustFailed, code: "expired", stage: .trust, "it ended (\(stack) 10)", fix: "renew the certificate"
                ),
                .warning("no-scts", stage: .trust, "there are none", fix: "log it"),
                .note("seen", stage: .tls, "it was"),
            ] + (stack == "nio" ? [.error(.pinMismatch, stage: .pins, "no pin", fix: "pin it")] : []),
            service: "api")
    }

    @Test func everyFindingIsKeptAndBackendsAreGrouped() throws {
        let root = try ReadXML.root(of: JUnitReport(Self.results).xml)
        let cases = try #require(root.elements("testsuite").first).elements("testcase")
        #expect(cases.map { $0.attributes["name"] } == ["openssl, gnutls", "nio"])
        let twice = try ReadXML.root(of: JUnitReport(Self.results + Self.results).xml)
        let again = try #require(twice.elements("testsuite").first).elements("testcase")
        #expect(again.map { $0.attributes["name"] } == ["openssl, gnutls", "nio"])
        let last = try #require(cases.last)
        let failure = try #require(last.elements("failure").first?.text)
        #expect(
            failure.contains("trust/expired: it ended") && failure.contains("pins/pin-mismatch: no pin"), "\(failure)")
        #expect(failure.contains("fix: renew the certificate") && failure.contains("fix: pin it"))
        let output = try #require(last.elements("system-out").first?.text)
        #expect(output.contains("no-scts") && output.contains("note tls/seen: it was"), "\(output)")
    }
}
