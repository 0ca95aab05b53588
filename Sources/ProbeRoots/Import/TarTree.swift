import ProbeKit

/// The names of a tar archive as a tree, in which paths are followed as Linux follows them (path_resolution(7)).
struct TarTree {
    /// A file or a link, as it was last added.
    enum Content {
        case file([UInt8])
        /// A link by path. An absolute one begins at the archive's own root, as in the archive of a whole system.
        case link(to: TarFiles.Name)
    }

    /// The end of a link: nothing also behind too many links, or too long a path.
    enum LinkEnd {
        case file([UInt8])
        case folder
        case nothing
    }

    /// A name with content, and the folder that it is in.
    struct Entry {
        let name: TarFiles.Name
        let folder: Int
        let content: Content
    }

    /// A folder, or what has an entry.
    private struct Node {
        let folder: Int
        /// True for the root, and for `..` of such a folder: unpacking leaves the archive there.
        let isOutside: Bool
        var children: [TarFiles.Name: Int] = [:]
        var entry: Entry?
    }

    /// The longest path (PATH_MAX).
    static let maximumPath = 4096
    /// The most links of one path.
    private static let maximumLinks = 40
    /// The most work for all paths of an archive: their bytes, and as much as 16 for each part.
    private static let maximumWork = 16 << 20
    /// The number of the archive's root.
    static let root = 0
    private static let parent: TarFiles.Name = Array("..".utf8)

    private let archive: RootArchive
    private var nodes = [Node(folder: Self.root, isOutside: true)]
    private var work = 0

    init(of archive: RootArchive) { self.archive = archive }

    /// The files and links, in the order in which their names came.
    var entries: [Entry] { nodes.compactMap(\.entry) }

    /// Adds a file or a link, in place of an earlier one of its name.
    ///
    /// - Throws: ``InputError`` also where a link or a file is in place of a folder: some programs unpack to where the link
    ///   leads, others replace it or refuse.
    mutating func put(_ content: Content, at name: TarFiles.Name) throws(InputError) {
        var place = Self.root
        for part in try parts(of: name) where !Self.isHere(part) {
            guard nodes[place].entry == nil else { throw ambiguous(name, "below a link or a file") }
            place = part == Self.parent && !nodes[place].isOutside ? nodes[place].folder : child(part, of: place)
        }
        guard nodes[place].children.isEmpty else { throw ambiguous(name, "in place of a folder") }
        nodes[place].entry = Entry(name: name, folder: nodes[place].folder, content: content)
    }

    /// Returns the file or link that a path from the root names; nil if there is none.
    mutating func content(at path: TarFiles.Name) throws(InputError) -> Content? {
        try node(at: path, from: Self.root, isTarget: false).flatMap { nodes[$0].entry?.content }
    }

    /// Returns what a link in a folder leads to through all others.
    mutating func end(of target: TarFiles.Name, from folder: Int) throws(InputError) -> LinkEnd {
        guard let found = try node(at: target, from: folder, isTarget: true) else { return .nothing }
        switch nodes[found].entry?.content {
        case .file(let bytes): return .file(bytes)
        case .link: return .nothing
        case nil: return .folder
        }
    }

    /// - Parameter isTarget: true for the target of a link, whose last name may be a link too.
    private mutating func node(
        at path: TarFiles.Name, from folder: Int, isTarget: Bool
    ) throws(InputError) -> Int? {
        var place = Self.isAbsolute(path) ? Self.root : folder
        var rest: [TarFiles.Name] = try parts(of: path).reversed()
        var (length, links) = (path.count, isTarget ? 1 : 0)
        while let part = rest.popLast() {
            length -= part.count + 1
            guard nodes[place].entry == nil else { return nil }
            if Self.isHere(part) { continue }
            if part == Self.parent, !nodes[place].isOutside {
                place = nodes[place].folder
                continue
            }
            guard let next = nodes[place].children[part] else { return nil }
            guard case .link(let target)? = nodes[next].entry?.content, isTarget || !rest.isEmpty else {
                place = next
                continue
            }
            links += 1
            length += target.count + 1
            guard links <= Self.maximumLinks, length <= Self.maximumPath else { return nil }
            rest += try parts(of: target).reversed()
            if Self.isAbsolute(target) { place = Self.root }
        }
        return place
    }

    private mutating func child(_ name: TarFiles.Name, of folder: Int) -> Int {
        if let child = nodes[folder].children[name] { return child }
        nodes.append(Node(folder: folder, isOutside: nodes[folder].isOutside && name == Self.parent))
        nodes[folder].children[name] = nodes.count - 1
        return nodes.count - 1
    }

    /// Returns the parts of a path, and counts the work of going through them. Empty ones stay, since like `.` they follow a
    /// folder only.
    private mutating func parts(of path: TarFiles.Name) throws(InputError) -> [TarFiles.Name] {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        work += path.count + 16 * parts.count
        guard work <= Self.maximumWork else {
            throw archive.error(
                "has paths and links that take too long to follow",
                remedy: "unpack it and give the file with the certificates")
        }
        return parts.map { Array($0) }
    }

    private static func isAbsolute(_ path: TarFiles.Name) -> Bool { path.first == UInt8(ascii: "/") }

    /// Returns true for a part that leads to the folder itself.
    private static func isHere(_ part: TarFiles.Name) -> Bool { part.isEmpty || part == [UInt8(ascii: ".")] }

    private func ambiguous(_ name: TarFiles.Name, _ place: String) -> InputError {
        archive.error(
            "has \(TarFiles.shown(name)) \(place), which programs unpack in different ways",
            remedy: "unpack it and give the folder")
    }
}
