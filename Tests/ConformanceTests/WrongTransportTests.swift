import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// Tests the suite itself: it has to find the faults of a wrong transport, by the scenarios named here.
@Suite(.bounded) struct WrongTransportTests {
    /// One fault of a transport, and its consequences.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Makes the wrong transport out of a right one.
        let make: @Sendable (any Transport, LabPKI) throws -> any Transport
        /// Scenarios that must fail, with the outcome they have instead of the promised one.
        let breaks: [String: Outcome]
    }

    static let wrong: [Wrong] = [
        // Two readings of every chain: a stack alone would have let the wrong name pass.
        Wrong(
            testDescription: "ignores the name", make: { real, _ in WrongTransport.ignoringTheName(real) },
            breaks: [
                "tls/names/wrong-name": .stacksDisagree, "tls/names/wildcard-two-labels": .stacksDisagree,
                "tls/names/other-address": .stacksDisagree, "tls/trust/native-wrong-name": .pass,
            ]),
        Wrong(
            testDescription: "ignores the name without a connection",
            make: { real, _ in WrongTransport.ignoringTheNameOffline(real) },
            breaks: ["tls/names/wrong-name": .trustFailed, "tls/names/wildcard-two-labels": .trustFailed]),
        Wrong(
            testDescription: "ignores the purpose without a connection",
            make: { real, _ in WrongTransport.ignoringThePurposeOffline(real) },
            breaks: ["tls/questions/client": .pass, "tls/questions/any": .trustFailed]),
        Wrong(
            testDescription: "ignores the limit of intermediates",
            make: { real, _ in WrongTransport.ignoringTheLimitOffline(real) },
            breaks: ["tls/questions/no-intermediates": .pass]),
        Wrong(
            testDescription: "drops the intermediates", make: { real, _ in WrongTransport.droppingIntermediates(real) },
            breaks: ["tls/trust/good": .stacksDisagree, "tls/trust/four-deep": .stacksDisagree]),
        Wrong(
            testDescription: "reports its own path", make: { real, _ in WrongTransport.reportingThePath(real) },
            breaks: [
                "tls/pins/spki-root-presented": .pass, "tls/pins/superfluous-presented": .pinMismatch,
                "tls/trust/shuffled": .pass, "tls/trust/extra-certificates": .pass,
            ]),
        Wrong(
            testDescription: "reads another key", make: { real, _ in WrongTransport.readingAnotherKey(real) },
            breaks: ["tls/pins/spki-leaf": .readingsDisagree, "tls/pins/no-pins": .readingsDisagree]),
        Wrong(
            testDescription: "reports another certificate",
            make: { real, pki in WrongTransport.reporting(try pki.identity(.renewedNewKey).chain, real) },
            breaks: [
                "tls/trust/good": .pass, "tls/pins/spki-leaf": .pinMismatch, "tls/trust/native-expired": .trustFailed,
            ]),
        Wrong(
            testDescription: "trusts everything", make: { real, _ in WrongTransport.trustingEverything(real) },
            breaks: [
                "tls/trust/expired": .stacksDisagree, "tls/trust/unknown-issuer": .stacksDisagree,
                "tls/trust/bad-signature": .stacksDisagree, "tls/trust/native-expired": .pass,
            ]),
        Wrong(
            testDescription: "trusts nothing", make: { real, _ in WrongTransport.trustingNothing(real) },
            breaks: ["tls/trust/good": .stacksDisagree, "tls/trust/native-good": .trustFailed]),
        Wrong(
            testDescription: "reports no chain", make: { real, _ in WrongTransport.reportingNoChain(real) },
            breaks: ["tls/trust/good": .internalError, "tls/trust/expired": .internalError]),
        Wrong(
            testDescription: "reads its own clock", make: { real, _ in WrongTransport.readingItsOwnClock(real) },
            breaks: ["tls/trust/good": .stacksDisagree, "tls/trust/native-good": .trustFailed]),
        Wrong(
            testDescription: "reports another address",
            make: { real, _ in
                WrongTransport(real, falsify: { report, _, _ in report.peerAddress = "192.0.2.1" })
            }, breaks: ["tls/trust/good": .pass]),
        Wrong(
            testDescription: "reports no staple",
            make: { real, _ in WrongTransport(real, falsify: { report, _, _ in report.ocspStaple = nil }) },
            breaks: ["tls/handshake/staple-in-tls-1.2": .pass, "tls/handshake/staple-in-tls-1.3": .pass]),
        Wrong(
            testDescription: "invents a staple",
            make: { real, _ in
                WrongTransport(real, falsify: { report, _, _ in report.ocspStaple = [0, 0, 0] })
            }, breaks: ["tls/trust/good": .pass]),
        Wrong(
            testDescription: "reports no timestamps",
            make: { real, _ in WrongTransport(real, falsify: { report, _, _ in report.handshakeSCTs = [] }) },
            breaks: ["tls/handshake/timestamps-in-tls-1.2": .pass, "tls/handshake/timestamps-in-tls-1.3": .pass]),
        Wrong(
            testDescription: "invents a timestamp",
            make: { real, _ in
                WrongTransport(real, falsify: { report, _, _ in report.handshakeSCTs.append([1, 2, 3]) })
            }, breaks: ["tls/trust/good": .pass]),
        Wrong(
            testDescription: "invents an issuer of client certificates",
            make: { real, _ in
                WrongTransport(real, falsify: { report, _, _ in report.clientCertificateIssuers = [[0x30, 0]] })
            },
            breaks: [
                "tls/trust/good": .pass, "tls/handshake/client-certificate-requested-in-tls-1.2": .passWithWarnings,
            ]),
        Wrong(
            testDescription: "shows no path", make: { real, _ in WrongTransport.showing({ _ in nil }, real) },
            breaks: ["tls/paths/leaf": .pass, "tls/paths/shared-key": .pass, "tls/trust/good": .pass]),
        Wrong(
            testDescription: "shows its path without the anchor",
            make: { real, _ in WrongTransport.showing({ $0.dropLast() }, real) },
            breaks: ["tls/paths/leaf": .pass, "tls/trust/good": .pass]),
        Wrong(
            testDescription: "shows its path from the anchor to the leaf",
            make: { real, _ in WrongTransport.showing({ $0.reversed() }, real) },
            breaks: ["tls/paths/leaf": .pass, "tls/trust/good": .pass]),
        Wrong(
            testDescription: "hides failures", make: { real, _ in WrongTransport.hidingFailures(real) },
            breaks: ["tls/peers/http": .internalError, "tls/peers/dead": .internalError]),
        // Requirement 108: the outcome is right, but the server received data that it should not have.
        Wrong(
            testDescription: "makes its request unasked", make: { real, _ in WrongTransport.askingNobody(real) },
            breaks: [
                "tls/transition/before": .pinMismatch, "tls/transition/unknown-key": .pinMismatch,
                "tls/transition/untrusted": .trustFailed, "tls/server-date/pin-mismatch": .pinMismatch,
                "tls/server-date/trust-failed": .trustFailed, "tls/transition/unchanged": .pass,
            ]),
        Wrong(
            testDescription: "makes its request twice", make: { real, _ in WrongTransport.askingTwice(real) },
            breaks: [
                "tls/transition/first-second-h1": .passWithWarnings,
                "tls/transition/first-second-h2": .passWithWarnings,
                "tls/server-date/h2": .pass,
            ]),
        Wrong(
            testDescription: "invents the server's time",
            make: { real, _ in WrongTransport.inventingTheServersTime(real) },
            breaks: [
                "tls/transition/skew-301-ahead": .passWithWarnings, "tls/transition/server-before": .passWithWarnings,
                "tls/transition/no-date": .passWithWarnings, "tls/server-date/skewed": .pass,
            ]),
        Wrong(
            testDescription: "sends another name", make: { real, _ in WrongTransport.sendingAnotherName(real) },
            breaks: ["tls/names/sni-chosen": .trustFailed, "tls/trust/good": .pass]),
    ]

    @Test(arguments: wrong, BackendsUnderTest.transports)
    func isFound(_ wrong: Wrong, _ transport: TransportUnderTest) async throws {
        let pki = TransportConformanceTests.pki
        let broken = try wrong.make(transport.get(), pki)
        for (id, outcome) in wrong.breaks.sorted(by: { $0.key < $1.key }) {
            let scenario = try #require(TLSScenario.all.first { $0.id == id }, "\(id) is gone")
            guard scenario.isAsked(of: broken) else { continue }
            let result = try await scenario.run(through: broken, pki: pki)
            #expect(result.failure != nil, "\(id) does not notice")
            #expect(result.result.verdict.outcome == outcome, "\(id): \(result.failure ?? "")")
        }
    }

    /// Requirement 108.
    @Test(
        "[R108] a transport that sends application data is found",
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
    func applicationDataIsFound() async throws {
        let scenario = try #require(TLSScenario.all.first { $0.id == "tls/pins/spki-wrong" })
        let talking = WrongTransport.talking(try BackendsUnderTest.transports[0].get())
        let result = try await scenario.run(through: talking, pki: TransportConformanceTests.pki)
        #expect(result.result.verdict.outcome == .pinMismatch)
        #expect(result.failure?.hasSuffix("Seen: 6 bytes of application data") == true, "\(result.failure ?? "kept")")
    }

    /// OpenSSL's documented differences are not GnuTLS's, and vice versa.
    @Test(arguments: [("openssl", "gnutls"), ("gnutls", "openssl")])
    func aDeviationThatIsNoneFails(of name: String, under other: String) async throws {
        let real = try #require(BackendsUnderTest.transports.first { $0.testDescription == name }).get()
        let scenario = try #require(TLSScenario.divergences.first { $0.id == "tls/divergences/ends-now" })
        let disguised = WrongTransport(real, name: other)
        #expect(try await scenario.run(through: disguised, pki: TransportConformanceTests.pki).failure != nil)
    }

    /// The same wrapper around the same transport, without a fault: the failures above come from the faults.
    @Test(arguments: BackendsUnderTest.transports)
    func aTruthfulWrapperIsNot(_ transport: TransportUnderTest) async throws {
        let wrapper = WrongTransport(try transport.get())
        for scenario in TLSScenario.all where scenario.id.hasPrefix("tls/trust/") {
            #expect(try await scenario.run(through: wrapper, pki: TransportConformanceTests.pki).failure == nil)
        }
    }

    /// The output for users, and for scripts.
    @Test func theReportSaysSo() async throws {
        let real = try BackendsUnderTest.transports[0].get()
        let wrong = WrongTransport.trustingEverything(real)
        let report = await ConformanceSuite(transports: [real, wrong], resolvers: [], filter: "trust/expired").run()
        #expect(!report.isKept)
        #expect(report.differences.contains { $0.id == "tls/trust/expired" })
        #expect(report.failures.contains { $0.hasPrefix("wrong: tls/trust/expired promises trust-failed") })
        #expect(report.failures.allSatisfy { $0.hasPrefix("wrong: ") })
        #expect(report.matrix.contains("stacks-disagree (!)"))
        #expect(report.summary.contains("DIFFERENT: tls/trust/expired"))
    }

    @Test func theCommandExitsWithThirty() async throws {
        let real = try BackendsUnderTest.transports[0].get()
        let arguments = ["conformance", "--filter", "tls/trust/expired", "--format", "json"]
        let good = try Backends(transports: [real], resolvers: [], digesters: [])
        #expect(await ProbeCommand.run(arguments, backends: good) == 0)
        let bad = try Backends(transports: [WrongTransport.trustingEverything(real)], resolvers: [], digesters: [])
        #expect(await ProbeCommand.run(arguments, backends: bad) == 30)
    }

    /// A trust result that is missing without a connection is the transport's fault, and its handshake's outcome does not
    /// hide it.
    @Test func aMissingTrustResultIsAFault() async throws {
        let scenario = try #require(TLSScenario.all.first { $0.id == "tls/trust/good" })
        let lost = WrongTransport(
            try BackendsUnderTest.transports[0].get(),
            decide: { _ in .unanswered("it ended", nativeCode: "program-ended", silence: .programFault) })
        let cell = await scenario.cell(of: lost, pki: .suite)
        #expect(cell.outcome == .internalError && cell.isFault, "\(cell)")
        #expect(cell.failure?.hasSuffix("no trust decision without a connection: it ended") == true)
        let backends = try Backends(transports: [lost], resolvers: [], digesters: [])
        let arguments = ["conformance", "--filter", "tls/trust/good", "--format", "junit"]
        #expect(await ProbeCommand.run(arguments, backends: backends) == 70)
    }
}
