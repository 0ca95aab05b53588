import CProbeCurl
import ProbeCurl
import ProbeKit

/// Collects one response as libcurl delivers it, and stops it if it grows beyond the size of a reply. It has to outlive
/// the easy handle it is attached to; the callbacks run on the thread that drives libcurl.
final class DoHResponse {
    private(set) var body: [UInt8] = []
    private var head = CurlResponseHead()
    /// The reason why it was stopped.
    private(set) var excess: DNSFailure?

    /// A DNS message's greatest size, and more than any head needs.
    private static let limit = 65_535

    /// True if the head of the final response is complete.
    var isFinal: Bool { head.isComplete }

    func attach(to easy: CurlEasy) throws(CurlError) {
        let data = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe easy.set(
            CURLOPT_HEADERFUNCTION,
            function: { bytes, size, count, data in
                unsafe DoHResponse.pass(bytes, size * count, data) { unsafe $0.takeHead($1) }
            }, CURLOPT_HEADERDATA, data: data)
        try unsafe easy.set(
            CURLOPT_WRITEFUNCTION,
            function: { bytes, size, count, data in
                unsafe DoHResponse.pass(bytes, size * count, data) { unsafe $0.takeBody($1) }
            }, CURLOPT_WRITEDATA, data: data)
    }

    /// Returns the number of bytes taken; fewer than received makes libcurl stop.
    private static func pass(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ data: UnsafeMutableRawPointer?,
        to take: (DoHResponse, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        guard let data = unsafe data else { return 0 }
        let response = unsafe Unmanaged<DoHResponse>.fromOpaque(data).takeUnretainedValue()
        return unsafe take(response, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }

    /// Takes one line of a head.
    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        unsafe head.take(line)
        guard head.bytes <= Self.limit else {
            excess = DNSFailure(.httpContent, "the head of the HTTP response is longer than \(Self.limit) bytes")
            return false
        }
        return true
    }

    private func takeBody(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard body.count + piece.count <= Self.limit else {
            excess = DNSFailure(.httpContent, "the body of the HTTP response is longer than \(Self.limit) bytes")
            return false
        }
        unsafe body.append(contentsOf: piece)
        return true
    }
}
