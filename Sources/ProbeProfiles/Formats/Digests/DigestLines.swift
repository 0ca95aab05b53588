import ProbeKit

/// Files of one digest a line.
enum DigestLines {
    static func write(_ pinned: [PinnedHost], line: (PinSet, Pin) -> String) -> [UInt8] {
        let lines = pinned.flatMap(\.sets).flatMap { set in set.members.map { line(set, $0.pin) + "\n" } }
        return Array(lines.joined().utf8)
    }
}
