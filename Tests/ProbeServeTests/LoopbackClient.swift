import Foundation
import ProbePlatform

/// A TCP connection to a server on loopback, which reads only when it is asked to.
final class LoopbackClient: Sendable {
    /// The connection can't be made, or broke.
    struct Broken: Error {}

    private let descriptor: CInt

    /// - Parameter base: the server's URL.
    init(_ base: String) throws {
        guard let port = URL(string: base)?.port else { throw Broken() }
        descriptor = socket(AF_INET, Platform.stream, 0)
        // So that a server soon waits for a client that does not read.
        var window: CInt = 4096
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { throw Broken() }
    }

    deinit { close(descriptor) }

    /// Sends a text that fits into the system's buffers.
    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        let sent = unsafe bytes.withUnsafeBytes {
            unsafe ProbePlatform.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        guard sent == bytes.count else { throw Broken() }
    }

    /// Closes its half of the connection.
    func finish() { shutdown(descriptor, CInt(SHUT_WR)) }

    /// Returns what comes until the server closes the connection.
    func received() async throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count != 0 else { return String(decoding: text, as: UTF8.self) }
            if count > 0 {
                text += buffer.prefix(count)
            } else {
                guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { throw Broken() }
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
