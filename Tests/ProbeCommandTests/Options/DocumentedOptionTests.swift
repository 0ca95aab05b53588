import Foundation
import Testing

@testable import ProbeCommand

/// Every option that help shows is on a page.
@Suite struct DocumentedOptionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The words of the pages that begin with dashes, without what ends a sentence.
    private static func named() throws -> Set<String> {
        let docs = root.appending(path: "docs")
        let pages = try FileManager.default.contentsOfDirectory(at: docs, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }
        var found: Set<String> = []
        for page in pages + [root.appending(path: "README.md")] {
            let words = try Data(contentsOf: page).split { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    false
                default: true
                }
            }
            for word in words where word.starts(with: Array("--".utf8)) {
                let text = String(decoding: word, as: UTF8.self)
                found.insert(text.hasSuffix(".") ? String(text.dropLast()) : text)
            }
        }
        return found
    }

    @Test func everyOptionIsOnAPage() throws {
        let named = try Self.named()
        for (path, arguments) in try DumpedHelp.commands() {
            for argument in arguments where argument.isShown {
                for name in argument.longNames where !["help", "version"].contains(name) {
                    #expect(named.contains("--\(name)"), "no page names \(path) --\(name)")
                }
            }
        }
    }
}
