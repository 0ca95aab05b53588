import CProbeRoots
public import ProbeKit
import ProbePlatform

/// Root stores by name and day: those that are shipped with the program, and the user's own (``OwnRootStores``).
public struct RootDatabase: Sendable {
    /// A certificate, and the snapshots that have it.
    private struct Entry: Sendable {
        /// The stores and their snapshots, like `mozilla:0-12,15 java:0`.
        let places: ArraySlice<UInt8>
        let base64: ArraySlice<UInt8>
    }

    private let headings: [RootSnapshotHeading]
    private let entries: [Entry]
    private let own: OwnRootStores?

    /// The shipped stores and the user's own.
    ///
    /// - Parameter own: the folder of the user's own; nil leaves them out.
    public static func standard(own: OwnRootStores? = .standard) -> RootDatabase {
        RootDatabase(shipped, own: own)
    }

    private static let shipped: RootDatabase = {
        var count = 0
        guard let start = unsafe cprobe_roots(&count) else { return RootDatabase(text: []) }
        return RootDatabase(text: unsafe Array(UnsafeBufferPointer(start: start, count: count)))
    }()

    private init(_ database: RootDatabase, own: OwnRootStores?) {
        headings = database.headings
        entries = database.entries
        self.own = own
    }

    /// A database of the text that `Scripts/roots` writes.
    init(text: [UInt8]) {
        var headings: [RootSnapshotHeading] = []
        var entries: [Entry] = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            if fields.count == 5, fields[0].elementsEqual("snapshot".utf8) {
                let words = fields.dropFirst().map { String(decoding: $0, as: UTF8.self) }
                headings.append(
                    RootSnapshotHeading(store: words[0], day: words[1], licence: words[2], origin: words[3]))
            } else if fields.count == 3, fields[0].elementsEqual("certificate".utf8) {
                entries.append(Entry(places: fields[1], base64: fields[2]))
            }
        }
        self.headings = headings
        self.entries = entries
        own = nil
    }

    /// Returns all snapshots, by store and day.
    ///
    /// - Throws: ``InputError`` if the folder of the user's own can't be listed.
    public func snapshots() throws(InputError) -> [RootSnapshotHeading] {
        (try ownHeadings() + headings).sorted { ($0.store, $0.day) < ($1.store, $1.day) }
    }

    private func ownHeadings() throws(InputError) -> [RootSnapshotHeading] { try own?.headings() ?? [] }

    /// Returns the snapshot that a name means: of its day, or the one before.
    ///
    /// - Throws: ``InputError`` for an unknown store, a day before its first snapshot, or a folder that can't be listed.
    public func snapshot(_ name: RootStoreName) throws(InputError) -> RootSnapshot {
        let found = try heading(name)
        if let own, try own.headings().contains(found) { return try own.snapshot(found) }
        return RootSnapshot(
            store: found.store, day: found.day, origin: found.origin, licence: found.licence,
            certificates: certificates(of: found))
    }

    /// Returns the heading of the snapshot that a name means.
    ///
    /// - Throws: ``InputError`` as for the snapshot.
    public func heading(_ name: RootStoreName) throws(InputError) -> RootSnapshotHeading {
        let snapshots = try snapshots()
        let known = snapshots.filter { $0.store == name.store }
        guard let first = known.first else {
            let stores = Set(snapshots.map(\.store)).sorted()
            let hint = NearestWord.hint(for: name.store, among: stores)
            throw InputError(
                "there is no root store '\(name.store)'", remedy: "\(hint)choose \(stores.joined(separator: ", "))")
        }
        guard let found = known.last(where: { heading in name.lastDay.map { heading.day <= $0 } ?? true }) else {
            throw InputError(
                "the first snapshot of \(name.store) is of \(first.day), and \(name.day ?? "") is before it",
                remedy: "ask for \(name.store)@\(first.day) or later")
        }
        return found
    }

    private func certificates(of heading: RootSnapshotHeading) -> [[UInt8]] {
        guard let index = headings.filter({ $0.store == heading.store }).firstIndex(of: heading) else { return [] }
        let store = Array((heading.store + ":").utf8)
        return entries.filter { Self.has($0.places, store, index) }.compactMap { entry in
            Base64.decode(String(decoding: entry.base64, as: UTF8.self))
        }
    }

    /// Returns true if the places have a store's snapshot.
    private static func has(_ places: ArraySlice<UInt8>, _ store: [UInt8], _ index: Int) -> Bool {
        guard let place = places.split(separator: UInt8(ascii: " ")).first(where: { $0.starts(with: store) }) else {
            return false
        }
        return runs(place.dropFirst(store.count)).contains { $0.contains(index) }
    }

    /// The snapshots with their certificates, by store and day; each certificate is decoded once.
    func contents() throws(InputError) -> [(heading: RootSnapshotHeading, certificates: [[UInt8]])] {
        var first: [String: Int] = [:]
        for (index, heading) in headings.enumerated() where first[heading.store] == nil { first[heading.store] = index }
        var shipped: [[[UInt8]]] = Array(repeating: [], count: headings.count)
        for entry in entries {
            guard let certificate = Base64.decode(String(decoding: entry.base64, as: UTF8.self)) else { continue }
            for place in entry.places.split(separator: UInt8(ascii: " ")) {
                let parts = place.split(separator: UInt8(ascii: ":"))
                guard parts.count == 2, let start = first[String(decoding: parts[0], as: UTF8.self)] else { continue }
                for run in Self.runs(parts[1]) {
                    for index in run where shipped.indices.contains(start + index) {
                        shipped[start + index].append(certificate)
                    }
                }
            }
        }
        var contents = Array(zip(headings, shipped)).map { (heading: $0.0, certificates: $0.1) }
        for heading in try ownHeadings() {
            contents.append((heading, try own?.snapshot(heading).certificates ?? []))
        }
        return contents.sorted { ($0.heading.store, $0.heading.day) < ($1.heading.store, $1.heading.day) }
    }

    /// Reads runs of snapshots like `0-12,15`.
    private static func runs(_ text: ArraySlice<UInt8>) -> [ClosedRange<Int>] {
        text.split(separator: UInt8(ascii: ",")).compactMap { run in
            let ends = run.split(separator: UInt8(ascii: "-")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
            guard let first = ends.first, let last = ends.last, first <= last else { return nil }
            return first...last
        }
    }
}
