/// Follows the lines of a response's head as libcurl hands them over, interim responses and all (RFC 9110 section 15.2).
package struct CurlResponseHead {
    /// True if the head of the final response is complete. libcurl itself accepts one that was cut off.
    package private(set) var isComplete = false
    /// The bytes of all heads so far.
    package private(set) var bytes = 0
    private var hasFinalStatus = false

    package init() {}

    /// Takes one line, its end included.
    package mutating func take(_ line: UnsafeRawBufferPointer) {
        bytes += line.count
        if unsafe line.starts(with: "HTTP/".utf8) {
            let status = unsafe line.split(separator: UInt8(ascii: " "), maxSplits: 2).dropFirst().first
            hasFinalStatus = unsafe status?.first != UInt8(ascii: "1")
        }
        if hasFinalStatus, unsafe line.allSatisfy({ $0 == 13 || $0 == 10 }) { isComplete = true }
    }
}
