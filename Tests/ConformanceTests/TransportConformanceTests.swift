import Foundation
import ProbeConformance
import ProbeConformanceTesting
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@Suite(.bounded) struct TransportConformanceTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// As a backend's author tests it. ``ConformanceSuiteTests`` has the other backends in the same cases.
    @Test(arguments: BackendsUnderTest.transports.prefix(1), TransportRequirement.all)
    func transport(_ transport: TransportUnderTest, meets requirement: TransportRequirement) async throws {
        try await requirement.verify(transport.get())
    }

    @Test func everyCaseIsNamedOnceAndHasASource() {
        let all = TLSScenario.all + TLSScenario.divergences
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(all.allSatisfy { $0.id.hasPrefix("tls/") && !$0.sentence.isEmpty && !$0.source.isEmpty })
        #expect(TLSScenario.all.count >= 90)
    }

    @Test func onlyDivergencesDeviateAndSayWhy() {
        #expect(TLSScenario.all.allSatisfy { $0.deviations.isEmpty })
        for scenario in TLSScenario.divergences {
            #expect(!scenario.deviations.isEmpty, "\(scenario.id)")
            #expect(
                scenario.deviations.values.allSatisfy {
                    ($0.outcome != scenario.expected || $0.code != nil) && !$0.reason.isEmpty
                })
        }
    }
}

@Suite struct DivergencePageTests {
    /// `probe conformance --divergences --exemptions Plugins/NAME/exemptions.json … > docs/divergences.md`, with the
    /// file of every plugin, writes it again.
    @Test func thePublishedPageIsCurrent() throws {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let plugins = root.appending(path: "Plugins")
        let files = try FileManager.default.contentsOfDirectory(atPath: plugins.path).sorted()
            .map { plugins.appending(path: "\($0)/exemptions.json").path }
            .filter(FileManager.default.fileExists)
        let exemptions = try ConformanceExemptions.read(files)
        let page = root.appending(path: "docs/divergences.md")
        let published = try String(contentsOf: page, encoding: .utf8)
        #expect(
            published.trimmingCharacters(in: .newlines)
                == DivergencePage.markdown(with: exemptions).trimmingCharacters(in: .newlines))
    }
}
