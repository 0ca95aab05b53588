import ProbePacking
import ProbeTestSupport
import Testing

/// The names of an archive's files are bytes.
@Suite(.bounded) struct ZipDirectoryTests {
    private static func little(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Returns an archive that has a directory alone (APPNOTE.TXT 4.3.12 and 4.3.16).
    private static func archive(_ names: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for name in names {
            bytes += little(0x0201_4b50, 4) + [UInt8](repeating: 0, count: 24)
            bytes += little(name.utf8.count, 2) + [UInt8](repeating: 0, count: 16) + Array(name.utf8)
        }
        let size = bytes.count
        bytes += little(0x0605_4b50, 4) + [0, 0, 0, 0]
        bytes += little(names.count, 2) + little(names.count, 2)
        return bytes + little(size, 4) + [0, 0, 0, 0, 0, 0]
    }

    @Test("two spellings of a letter are two names, and the same bytes are one") func repeatedNames() throws {
        let (one, other) = ("\u{e9}.pem", "e\u{301}.pem")
        let both = try ZipDirectory(Self.archive([one, other, "a/", "a/"]))
        #expect(both.entries.count == 4 && both.repeatedNames.isEmpty)
        #expect(try ZipDirectory(Self.archive([one, "b", one])).repeatedNames == [one])
    }
}
