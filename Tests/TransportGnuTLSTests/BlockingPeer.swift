import ProbePlatform

/// A TCP connection to a port on loopback, with five seconds for each step.
final class BlockingPeer {
    /// The connection broke, or nothing came in time.
    struct Broken: Error {}

    private let descriptor: Int32

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Broken() }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) throws {
        guard !bytes.isEmpty else { return }
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe ProbePlatform.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw Broken() }
    }

    func receive() throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw Broken() }
        return Array(buffer.prefix(count))
    }
}
