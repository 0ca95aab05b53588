import FuzzBytes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ProbeCurl
import ProbeKit
import ProbeNet

extension FuzzTarget {
    /// The head of an HTTP/1.1 response: however its bytes are cut, the result is the same.
    static let httpHead = FuzzTarget("http-head", upTo: 4096) { bytes in
        let whole = head(of: bytes, cut: [])
        let half = head(of: bytes, cut: [bytes.count / 2])
        try hold(half == whole, "in two pieces it is \(half), in one \(whole)")
        if bytes.count <= 256 {
            let single = head(of: bytes, cut: Array(0..<bytes.count))
            try hold(single == whole, "byte by byte it is \(single), in one piece \(whole)")
        }
        var lines = CurlResponseHead()
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let ended = Array(line) + [UInt8(ascii: "\n")]
            unsafe ended.withUnsafeBytes { unsafe lines.take($0) }
        }
        try hold(lines.bytes == bytes.count + 1, "bytes of the lines are not counted")
    }

    /// Returns the first result of a connection on which these bytes come, and then its end.
    private static func head(of bytes: [UInt8], cut offsets: [Int]) -> String {
        var outcome: String?
        func finish(_ text: String) { if outcome == nil { outcome = text } }
        let channel = EmbeddedChannel()
        do {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(HeadReader(version: "http/1.1") { finish("\($0)") })
            // The words of an error may depend on where the bytes were cut; that there is one does not.
            try pipeline.addHandler(EndReader { _ in finish("an error") })
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/peer")).wait()
            let request = HTTPRequestHead(version: .http1_1, method: .HEAD, uri: "/", headers: ["Host": "a.test"])
            try channel.writeOutbound(HTTPClientRequestPart.head(request))
            try channel.writeOutbound(HTTPClientRequestPart.end(nil))
            var start = 0
            for end in offsets + [bytes.count] where end > start {
                try channel.writeInbound(ByteBuffer(bytes: bytes[start..<end]))
                start = end
            }
        } catch { finish("an error") }
        _ = try? channel.finish(acceptAlreadyClosed: true)
        return outcome ?? "nothing"
    }
}
