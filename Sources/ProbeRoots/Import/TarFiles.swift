import ProbeKit

/// The files of a tar archive by their paths, as they are after unpacking.
struct TarFiles {
    /// A name as it is written: in which encoding nobody knows, and two spellings of a letter are two names.
    typealias Name = [UInt8]

    private let archive: RootArchive
    private var tree: TarTree
    /// The bytes of links, which take no room in the archive.
    private var linkedBytes = 0

    init(of archive: RootArchive) {
        self.archive = archive
        tree = TarTree(of: archive)
    }

    mutating func add(_ name: Name, _ bytes: [UInt8]) throws(InputError) {
        // Before POSIX.1-1988 this marked a folder.
        guard name.last != UInt8(ascii: "/") else { return }
        try tree.put(.file(bytes), at: name)
    }

    /// Adds another name of a file or a link that came before (POSIX.1-1988, typeflag 1).
    mutating func addLink(_ name: Name, to target: Name) throws(InputError) {
        guard let content = try tree.content(at: target) else {
            throw archive.error(
                "has \(Self.shown(name)) as a link to \(Self.shown(target)), which is not before it",
                remedy: RootArchive.again)
        }
        if case .file(let bytes) = content { try count(bytes) }
        try tree.put(content, at: name)
    }

    /// Adds a link by path, to be followed once all files are known (POSIX.1-1988, typeflag 2).
    mutating func addSymbolicLink(_ name: Name, to target: Name) throws(InputError) {
        try tree.put(.link(to: target), at: name)
    }

    /// Returns the files. A link that leads to none of them and to no folder has its target instead of bytes.
    mutating func all() throws(InputError) -> [RootArchive.Member] {
        var members: [RootArchive.Member] = []
        for entry in tree.entries {
            let name = Self.text(entry.name)
            switch entry.content {
            case .file(let bytes): members.append(.init(name: name, bytes: bytes))
            case .link(let target):
                switch try tree.end(of: target, from: entry.folder) {
                case .file(let bytes):
                    try count(bytes)
                    members.append(.init(name: name, bytes: bytes))
                // Its files are there by the folder's own name.
                case .folder: continue
                case .nothing: members.append(.init(name: name, bytes: [], missing: Self.text(target)))
                }
            }
        }
        return members
    }

    /// A name as messages show it.
    static func shown(_ name: Name) -> String { PrintableText.escape(text(name)) }

    private static func text(_ name: Name) -> String { String(decoding: name, as: UTF8.self) }

    /// Counts bytes that are read once more: a small archive may have any number of links.
    private mutating func count(_ bytes: [UInt8]) throws(InputError) {
        linkedBytes += bytes.count
        guard linkedBytes <= RootArchive.maximumBytes else { throw archive.tooLarge() }
    }
}
