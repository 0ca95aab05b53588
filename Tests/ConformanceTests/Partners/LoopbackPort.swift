import ProbePlatform
import Synchronization

/// Ports on 127.0.0.1, for servers that can't choose one themselves.
enum LoopbackPort {
    /// No port could be bound.
    struct Exhausted: Error {}

    /// Below the range the kernel takes ports of connections from, so that no connection of ours takes one in the time
    /// between here and a server's bind.
    private static let range: ClosedRange<UInt16> = 15_000...32_000

    /// Returns a port that is free right now, over both TCP and UDP, and that was not returned before, to this run or to
    /// another on this machine.
    static func free() throws -> UInt16 {
        for _ in 0..<200 {
            let port = UInt16.random(in: range)
            guard claim(port) else { continue }
            guard let tcp = bind(SOCK_STREAM, port: port) else { continue }
            defer { close(tcp.descriptor) }
            guard let udp = bind(SOCK_DGRAM, port: port) else { continue }
            close(udp.descriptor)
            return port
        }
        throw Exhausted()
    }

    /// Returns true if no process had claimed the port. A name without a file is the kernel's to keep: it lasts as long as
    /// the descriptor, which is left open until this process ends.
    private static func claim(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array("\0probe-test-port-\(port)".utf8)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let status = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe Glibc.bind(descriptor, $0, length) }
        }
        if status != 0 { close(descriptor) }
        return status == 0
    }

    /// Returns true if a process accepts TCP connections on the port.
    static func answers(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return unsafe withAddress(port) { unsafe connect(descriptor, $0, $1) } == 0
    }

    private static func bind(_ type: __socket_type, port: UInt16) -> (descriptor: Int32, port: UInt16)? {
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var bound = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = unsafe withAddress(port) { address, length in
            guard unsafe ProbePlatform.bind(descriptor, address, length) == 0 else { return Int32(-1) }
            return unsafe withUnsafeMutablePointer(to: &bound) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &size)
                }
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return (descriptor, UInt16(bigEndian: bound.sin_port))
    }

    static func withAddress(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
