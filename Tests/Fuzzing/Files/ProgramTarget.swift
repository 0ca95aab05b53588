import FuzzBytes
import ProbeExternal
import ProbeKit
import ProbePlatform

extension FuzzTarget {
    /// The lines of a program that is a backend: however its bytes are cut, they are the same lines.
    static let programLines = FuzzTarget("program-lines", upTo: 4096) { bytes in
        var (whole, cut) = (ProgramLines(), ProgramLines())
        guard let lines = whole.append(bytes) else { return }
        let middle = bytes.count / 2
        let pieces = [cut.append(bytes[..<middle]), cut.append(bytes[middle...])]
        try hold(pieces.compactMap(\.self).flatMap(\.self) == lines, "cut in two they are other lines")
        for line in lines + [bytes] { read(Data(line)) }
    }

    /// Reads a line as whatever reply it may be.
    private static func read(_ line: Data) {
        _ = try? ProgramJSON.decode(WireHeader.self, line)
        _ = try? ProgramJSON.decode(WireHelloReply.self, line)
        _ = try? ProgramJSON.decode(WireHandshakeReply.self, line).report.report()
        _ = try? ProgramJSON.decode(WireDNSReply.self, line).report()
        _ = try? ProgramJSON.decode(WireTrustReply.self, line).trust.reading()
        _ = try? ProgramJSON.decode(WireKeyReply.self, line).key.reading()
    }
}
