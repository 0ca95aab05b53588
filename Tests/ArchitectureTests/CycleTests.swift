import Foundation
import Testing

/// No room leads back to itself: neither modules through their imports, nor the folders of one through the types they name.
@Suite struct CycleTests {
    @Test func noModuleImportsItselfByAWayAround() throws {
        let modules = try SourceTree.modules()
        var edges: [String: Set<String>] = [:]
        for module in modules {
            edges[module] = Set(try SourceTree.files(of: module).flatMap(SourceTree.imports)).intersection(modules)
        }
        #expect(RoomGraph(edges).cycle == nil)
    }

    @Test(arguments: try SourceTree.modules())
    func noFolderUsesItselfByAWayAround(module: String) throws {
        let files = try SourceTree.files(of: module).map { url in
            RoomFile(room: SourceTree.room(of: url, in: module), text: try String(contentsOf: url, encoding: .utf8))
        }
        let cycle = RoomGraph(files).cycle
        #expect(cycle == nil, "the folders of \(module) use each other: \(cycle?.joined(separator: " → ") ?? "")")
    }

    @Test func aCycleIsSeen() {
        let files = [
            RoomFile(room: "Up", text: "public struct Roof {}\nlet wall: Wall? = nil"),
            RoomFile(room: "Down", text: "struct Wall {}\n// Roof\nlet name = \"Roof\""),
        ]
        #expect(RoomGraph(files).cycle == nil)
        #expect(RoomGraph(files + [RoomFile(room: "Down", text: "func build() -> Roof { Roof() }")]).cycle != nil)
        #expect(RoomGraph(["A": ["B"], "B": ["C"], "C": ["A"]]).cycle?.count == 4)
    }
}

/// A file's folder in its module, and its text.
struct RoomFile {
    let room: String
    let text: String

    /// The text without comments and strings.
    var code: String {
        text.replacing(#/"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*/#, with: " ")
    }
}

/// The rooms that each room uses.
struct RoomGraph {
    private let edges: [String: Set<String>]

    init(_ edges: [String: Set<String>]) {
        self.edges = edges
    }

    /// Folders use each other by naming a top-level type that one of them alone defines.
    init(_ files: [RoomFile]) {
        let definition =
            #/^(?:@\S+\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*(?:struct|enum|class|actor|protocol|typealias)\s+(?<name>[A-Z]\w+)/#
            .anchorsMatchLineEndings()
        let codes = files.map { (room: $0.room, code: $0.code) }
        var homes: [String: Set<String>] = [:]
        for (room, code) in codes {
            for match in code.matches(of: definition) { homes[String(match.name), default: []].insert(room) }
        }
        var edges: [String: Set<String>] = [:]
        for (room, code) in codes {
            for match in code.matches(of: #/\b[A-Z]\w+/#) {
                guard let found = homes[String(match.output)], found.count == 1, let home = found.first, home != room
                else { continue }
                edges[room, default: []].insert(home)
            }
        }
        self.edges = edges
    }

    /// A way from a room back to it; nil if there is none.
    var cycle: [String]? {
        var done: Set<String> = []
        func walk(_ room: String, _ path: [String]) -> [String]? {
            if let start = path.firstIndex(of: room) { return Array(path[start...]) + [room] }
            guard !done.contains(room) else { return nil }
            for next in (edges[room] ?? []).sorted() {
                if let cycle = walk(next, path + [room]) { return cycle }
            }
            done.insert(room)
            return nil
        }
        for room in edges.keys.sorted() {
            if let cycle = walk(room, []) { return cycle }
        }
        return nil
    }
}
