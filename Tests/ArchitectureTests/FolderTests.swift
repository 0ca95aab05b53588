import Foundation
import Testing

/// Within a module too, data goes one way: no two of its folders use each other, nor do several in a circle.
///
/// Read as text: a type is used where its name is a word of the code, outside comments and strings.
@Suite struct FolderTests {
    @Test(arguments: ["ProbeCommand", "ProbeProfiles"])
    func foldersUseEachOtherOneWay(module: String) throws {
        let files = try SourceFile.all(of: module)
        #expect(files.count > 20)
        let uses = Self.uses(between: files)
        #expect(Self.circle(in: uses) == nil)
    }

    @Test func aCircleIsFound() {
        let (a, b) = (SourceFile("A", "struct Ant { let bee: Bee }"), SourceFile("B", "struct Bee {} // Ant"))
        let c = SourceFile("C", #"enum Cat { case ant(Ant), text("Bee") }"#)
        #expect(Self.circle(in: Self.uses(between: [a, b, c])) == nil)
        let closing = SourceFile("B", "extension Bee { var cat: Cat? { nil } }")
        #expect(Self.circle(in: Self.uses(between: [a, b, c, closing]))?.sorted() == ["A", "B", "C"])
    }

    /// For each folder, those whose types it uses.
    private static func uses(between files: [SourceFile]) -> [String: Set<String>] {
        var homes: [String: Set<String>] = [:]
        for file in files { for type in file.types { homes[type, default: []].insert(file.folder) } }
        var uses: [String: Set<String>] = [:]
        for file in files {
            for word in file.words {
                // A name that two folders define says nothing.
                guard let home = homes[word], home.count == 1, let used = home.first, used != file.folder else {
                    continue
                }
                uses[file.folder, default: []].insert(used)
            }
        }
        return uses
    }

    /// The folders on a way that comes back to where it began; nil where there is none.
    private static func circle(in uses: [String: Set<String>]) -> [String]? {
        var ended: Set<String> = []
        func walk(_ folder: String, _ way: [String]) -> [String]? {
            if let start = way.firstIndex(of: folder) { return Array(way[start...]) }
            guard !ended.contains(folder) else { return nil }
            for next in (uses[folder] ?? []).sorted() {
                if let circle = walk(next, way + [folder]) { return circle }
            }
            ended.insert(folder)
            return nil
        }
        for folder in uses.keys.sorted() {
            if let circle = walk(folder, []) { return circle }
        }
        return nil
    }
}

/// A Swift file as far as its folder's dependencies go.
private struct SourceFile {
    /// The folder of the module that it is in; empty at the top.
    let folder: String
    /// The types that it declares at its top level.
    let types: Set<String>
    /// Every word of its code.
    let words: Set<String>

    init(_ folder: String, _ text: String) {
        self.folder = folder
        var types: Set<String> = []
        var words: Set<String> = []
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            let found = Self.words(of: line)
            words.formUnion(found)
            // A declaration at the top level is not indented.
            if line.first != UInt8(ascii: " "), let keyword = found.firstIndex(where: Self.declares.contains),
                keyword + 1 < found.count
            {
                types.insert(found[keyword + 1])
            }
        }
        (self.types, self.words) = (types, words)
    }

    private static let declares: Set = ["struct", "enum", "class", "actor", "protocol", "typealias"]

    /// The words of a line's code. The text of a literal over several lines counts as code.
    private static func words(of line: Substring.UTF8View) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var isText = false
        var previous: UInt8 = 0
        func ended() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        for byte in line {
            switch byte {
            case UInt8(ascii: "\"") where previous != UInt8(ascii: "\\"): isText.toggle()
            case UInt8(ascii: "/") where previous == byte && !isText:
                ended()
                return words
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                if !isText { word.append(byte) }
                previous = byte
                continue
            default: break
            }
            ended()
            previous = byte
        }
        ended()
        return words
    }

    static func all(of module: String) throws -> [SourceFile] {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources").appending(path: module)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }.map {
            let parts = $0.split(separator: "/")
            return SourceFile(
                parts.count > 1 ? String(parts[0]) : "",
                try String(contentsOf: root.appending(path: $0), encoding: .utf8))
        }
    }
}
