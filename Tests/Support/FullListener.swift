import ProbePlatform

/// A port of 127.0.0.1 with a full backlog: the kernel drops new connections.
public final class FullListener: Sendable {
    private struct NoSocket: Error {}

    /// The port.
    public let port: UInt16
    private let descriptors: [CInt]

    /// Fills the backlog of a new port.
    public init() throws {
        let listener = socket(AF_INET, Platform.stream, 0)
        guard listener >= 0 else { throw NoSocket() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isBound else {
            close(listener)
            throw NoSocket()
        }
        // A backlog of 0 holds one connection; a few more are tried for kernels that round up.
        let clients = (0..<4).map { _ in
            let client = socket(AF_INET, Platform.stream, 0)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(client, $0, size) }
            }
            return client
        }
        descriptors = [listener] + clients
    }

    deinit {
        for descriptor in descriptors { close(descriptor) }
    }
}
