import Foundation
import Testing

/// The pages a reader meets: short at the door, and every link leads somewhere.
@Suite struct PagesTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let pages: [String] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? []
        return ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Plugins/PROTOCOL.md"]
            + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    @Test func theReadmeIsShort() throws {
        #expect(try Data(contentsOf: Self.root.appending(path: "README.md")).count <= 5120)
    }

    @Test func everyPageIsReachedFromTheReadme() throws {
        var reached: Set = ["README.md"]
        var pending = ["README.md"]
        while let page = pending.popLast() {
            for link in try Self.links(in: page) where link.file.hasSuffix(".md") && reached.insert(link.file).inserted
            {
                pending.append(link.file)
            }
        }
        #expect(Set(Self.pages).subtracting(reached) == [])
    }

    @Test(arguments: pages)
    func everyLinkLeadsSomewhere(page: String) throws {
        for link in try Self.links(in: page) {
            let path = Self.root.appending(path: link.file).path
            #expect(FileManager.default.fileExists(atPath: path), "\(page) links to \(link.file)")
            guard let anchor = link.anchor, link.file.hasSuffix(".md") else { continue }
            #expect(try Self.anchors(in: link.file).contains(anchor), "\(page) links to \(link.file)#\(anchor)")
        }
    }

    /// Returns the links of a page to other files here, relative to the root.
    private static func links(in page: String) throws -> [(file: String, anchor: String?)] {
        let folder = URL(filePath: "/" + page).deletingLastPathComponent()
        return try text(of: page).matches(of: #/\]\(([^)\s]+)\)/#).compactMap { match in
            let target = match.1
            guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
            let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let anchor = parts.count > 1 ? String(parts[1]) : nil
            if parts[0].isEmpty { return (page, anchor) }
            let file = folder.appending(path: String(parts[0])).standardized.path
            return (String(file.drop { $0 == "/" }), anchor)
        }
    }

    /// Returns the anchors that headings make, as they are made where pages are read most.
    private static func anchors(in page: String) throws -> Set<String> {
        let headings = try text(of: page).matches(of: #/(?m)^#{1,6} +(.+)$/#)
        return Set(
            headings.map { heading in
                let kept = heading.1.lowercased().filter {
                    $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
                }
                return kept.replacing(" ", with: "-")
            })
    }

    private static func text(of page: String) throws -> String {
        try String(contentsOf: root.appending(path: page), encoding: .utf8)
    }
}
