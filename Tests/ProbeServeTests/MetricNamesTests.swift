import Foundation
import HTTPTypes
import Testing

@testable import ProbeServe

/// The exporter's metrics, the page about them, the dashboard and the rules name the same.
@Suite struct MetricNamesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The metrics' names in a text.
    private static func names(_ text: String) -> Set<String> {
        Set(text.matches(of: #/\b(?:probe|blackbox|process)_[a-z0-9_]*[a-z0-9]\b/#).map { String($0.output) })
            .subtracting(["blackbox_exporter"])
    }

    /// The names of the server's own metrics, of which each has a sample.
    private static func own() -> Set<String> {
        let own = OwnMetrics(version: "1", started: .now)
        own.count(probeOf: "module", by: .watch, passes: true)
        own.count(ServeRefusal(.busy, ""))
        own.count(requestTo: nil, status: .notFound, took: .zero)
        let state = CurrentConfiguration.State(
            configuration: ServeConfiguration(modules: [], watch: .none, digest: ""), readAt: .now)
        return Set(own.metrics(state, load: (0, 0)).families.map(\.name))
    }

    /// The names that the exporter's source gives to samples.
    private static func exported() throws -> Set<String> {
        let folder = root.appending(path: "Sources/ProbeServe")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names = own()
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            for call in source.matches(of: #/etrics\.add\(\s*"([^"]+)"/#) {
                // The one name that is put together.
                let sections = ["answer", "authority", "additional"]
                let name = String(call.1)
                for section in sections { names.insert(name.replacing(#"\(section)"#, with: section)) }
            }
        }
        return names
    }

    /// The names that blackbox_exporter has too, by the page.
    private static func others() throws -> Set<String> {
        let page = try text("docs/serve.md")
        let start = try #require(page.range(of: "\n## Metrics\n")).upperBound
        let end = try #require(page.range(of: "\n| ours |")).lowerBound
        return names(String(page[start..<end]))
    }

    private struct Dashboard: Decodable {
        struct Panel: Decodable {
            struct Place: Decodable { let x, y, w, h: Int }
            struct Query: Decodable { let expr: String }
            let id: Int
            let title: String
            let gridPos: Place
            let targets: [Query]
        }

        let panels: [Panel]
    }

    private static func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(Dashboard.self, from: Data(text("Examples/prometheus/dashboard.json").utf8))
    }

    @Test("the page names each metric, and none besides") func documented() throws {
        let page = try Self.text("docs/serve.md")
        let start = try #require(page.range(of: "\n## Metrics\n")).upperBound
        let end = try #require(page.range(of: "\n## Prometheus\n")).lowerBound
        let (documented, exported) = (Self.names(String(page[start..<end])), try Self.exported())
        #expect(documented.subtracting(exported) == [] && exported.subtracting(documented) == [])
        #expect(exported.count > 40)
    }

    @Test("dashboard and rules ask for metrics that there are") func asked() throws {
        let exported = try Self.exported()
        let shown = Self.names(try Self.dashboard().panels.flatMap(\.targets).map(\.expr).joined(separator: " "))
        #expect(shown.subtracting(exported) == [])
        #expect(Self.names(try Self.text("Examples/prometheus/rules.yml")).subtracting(exported) == [])
        // Each metric of ours has a panel.
        let ours = exported.subtracting(try Self.others()).filter { $0.hasPrefix("probe_") }
        #expect(ours.subtracting(shown) == ["probe_serve_build_info"])
    }

    @Test("panels have a place and a number of their own") func panels() throws {
        let panels = try Self.dashboard().panels
        #expect(Set(panels.map(\.id)).count == panels.count)
        var taken: Set<[Int]> = []
        for panel in panels {
            let place = panel.gridPos
            #expect(place.x >= 0 && place.x + place.w <= 24, "\(panel.title)")
            for x in place.x..<(place.x + place.w) {
                for y in place.y..<(place.y + place.h) {
                    let isFree = taken.insert([x, y]).inserted
                    if !isFree { Issue.record("\(panel.title) covers another panel") }
                }
            }
        }
    }
}
