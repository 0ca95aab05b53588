import Foundation
import Testing

/// The page for those who depend on the package agrees with its manifest, and the contract's own page with its types.
@Suite struct LibraryPageTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
    }

    private static func code(in page: String) -> Set<String> {
        Set(page.matches(of: #/`+(\w+)`+/#).map { String($0.1) })
    }

    @Test func thePageHasEveryProduct() throws {
        let products = try PackageManifest.text().matches(of: #/\.library\(name: "(\w+)"/#).map { String($0.1) }
            .filter { !$0.hasPrefix("Fuzz") }
        #expect(products.count > 20)
        let named = Self.code(in: try Self.text("docs/library.md"))
        #expect(Set(products).subtracting(named) == [])
        let others = named.filter { $0.hasPrefix("Probe") || $0.hasPrefix("Transport") || $0.hasPrefix("Resolver") }
        #expect(others.subtracting(products) == [])
    }

    @Test func thePageHasEveryTrait() throws {
        let traits = try PackageManifest.text().matches(of: #/\.trait\(\s*name: "(\w+)"/#).map { String($0.1) }
        #expect(traits.count == 5)
        #expect(Set(traits).subtracting(Self.code(in: try Self.text("docs/library.md"))) == [])
    }

    @Test func thePageHasTheExactVersion() throws {
        let page = try Self.text("docs/library.md")
        let pin = try #require(try PackageManifest.text().firstMatch(of: #/swift-nio-ssl", exact: "([\d.]+)"/#)).1
        #expect(page.contains("exactly swift-nio-ssl \(pin),"))
        #expect(page.contains("from: \"\(pin)\""))
    }

    /// A type that no topic lists is one that no reader of the contract comes upon.
    @Test func theTopicsHaveEveryPublicType() throws {
        let definition =
            #/^(?:@\S+\s+)*public (?:final |indirect )?(?:struct|enum|class|actor|protocol|typealias) (\w+)/#
            .anchorsMatchLineEndings()
        let types = try SourceTree.files(of: "ProbeKit").flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: definition).map { String($0.1) }
        }
        let listed = try Self.text("Sources/ProbeKit/ProbeKit.docc/ProbeKit.md").matches(of: #/(?m)^- ``(\w+)``$/#)
            .map { String($0.1) }
        #expect(listed.sorted() == types.sorted())
    }
}
