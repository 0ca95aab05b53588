import ProbeKit

/// The files of a tar archive by their paths, as they are after unpacking.
struct TarFiles {
    /// A name as it is written: in which encoding nobody knows, and two spellings of a letter are two names.
    typealias Name = [UInt8]
    /// A path without `.` and empty parts.
    private typealias Path = [Name]

    private enum Content {
        case file([UInt8])
        case link(to: Path, written: Name)
    }

    /// The most links that lead to one another, as Linux follows them (path_resolution(7)).
    private static let maximumSteps = 40

    private let archive: RootArchive
    private var entries: [Path: (name: Name, content: Content)] = [:]
    /// The bytes of links, which take no room in the archive.
    private var linkedBytes = 0

    init(of archive: RootArchive) { self.archive = archive }

    mutating func add(_ name: Name, _ bytes: [UInt8]) { entries[Self.path(name)] = (name, .file(bytes)) }

    /// Adds another name of a file that came before (POSIX.1-1988, typeflag 1).
    mutating func addLink(_ name: Name, to target: Name) throws(InputError) {
        guard let content = entries[Self.path(target)]?.content else {
            throw archive.error(
                "has \(Self.shown(name)) as a link to \(Self.shown(target)), which is not before it",
                remedy: RootArchive.again)
        }
        if case .file(let bytes) = content { try count(bytes) }
        entries[Self.path(name)] = (name, content)
    }

    /// Adds a link by path, to be followed once all files are known (POSIX.1-1988, typeflag 2). An absolute one begins at the
    /// archive's own root, as in the archive of a whole system.
    mutating func addSymbolicLink(_ name: Name, to target: Name) {
        let path = Self.path(name)
        let start = target.first == UInt8(ascii: "/") ? [] : Array(path.dropLast())
        entries[path] = (name, .link(to: Self.path(target, from: start), written: target))
    }

    /// Returns the files. A link that leads to something else than one of them has its target instead of bytes.
    func all() throws(InputError) -> [RootArchive.Member] {
        var counted = self
        var members: [RootArchive.Member] = []
        for (name, content) in entries.values {
            switch content {
            case .file(let bytes): members.append(.init(name: Self.text(name), bytes: bytes))
            case .link(let target, let written):
                let bytes = file(at: target)
                if let bytes { try counted.count(bytes) }
                members.append(
                    .init(name: Self.text(name), bytes: bytes ?? [], missing: bytes == nil ? Self.text(written) : nil))
            }
        }
        return members
    }

    /// A name as messages show it.
    static func shown(_ name: Name) -> String { PrintableText.escape(text(name)) }

    private static func text(_ name: Name) -> String { String(decoding: name, as: UTF8.self) }

    private func file(at path: Path) -> [UInt8]? {
        var path = path
        for _ in 0..<Self.maximumSteps {
            switch entries[path]?.content {
            case .file(let bytes): return bytes
            case .link(let target, _): path = target
            case nil:
                guard let within = throughFolder(path) else { return nil }
                path = within
            }
        }
        return nil
    }

    /// Returns a path with the first folder that is a link replaced by what that leads to; nil if none is.
    private func throughFolder(_ path: Path) -> Path? {
        for count in 1..<max(1, path.count) {
            if case .link(let target, _)? = entries[Array(path[..<count])]?.content { return target + path[count...] }
        }
        return nil
    }

    /// Counts bytes that are read once more: a small archive may have any number of links.
    private mutating func count(_ bytes: [UInt8]) throws(InputError) {
        linkedBytes += bytes.count
        guard linkedBytes <= RootArchive.maximumBytes else { throw archive.tooLarge() }
    }

    private static func path(_ name: Name, from start: Path = []) -> Path {
        name.split(separator: UInt8(ascii: "/")).reduce(into: start) { path, part in
            if part.elementsEqual("..".utf8), let last = path.last, !last.elementsEqual("..".utf8) {
                path.removeLast()
            } else if !part.elementsEqual(".".utf8) {
                path.append(Array(part))
            }
        }
    }
}
