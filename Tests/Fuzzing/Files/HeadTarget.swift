import FuzzBytes
import ProbeCurl
import ProbeKit
import ProbeNet

extension FuzzTarget {
    /// The head of an HTTP/1.1 response: however its bytes are cut, the result is the same.
    static let httpHead = FuzzTarget("http-head", upTo: 4096) { bytes in
        let whole = head(of: bytes, cut: [])
        let half = head(of: bytes, cut: [bytes.count / 2])
        try hold(half == whole, "in two pieces it is \(String(describing: half)), in one \(String(describing: whole))")
        if bytes.count <= 256 {
            let single = head(of: bytes, cut: Array(0..<bytes.count))
            try hold(
                single == whole,
                "byte by byte it is \(String(describing: single)), in one piece \(String(describing: whole))")
        }
        var lines = CurlResponseHead()
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let ended = Array(line) + [UInt8(ascii: "\n")]
            unsafe ended.withUnsafeBytes { unsafe lines.take($0) }
        }
        try hold(lines.bytes == bytes.count + 1, "bytes of the lines are not counted")
    }

    /// Returns the result of these bytes, in pieces.
    private static func head(of bytes: [UInt8], cut offsets: [Int]) -> HTTPReport.Answer? {
        var head = ResponseHead()
        var start = 0
        for end in offsets + [bytes.count] where end > start {
            head.take(bytes[start..<end])
            start = end
        }
        return head.answer
    }
}
