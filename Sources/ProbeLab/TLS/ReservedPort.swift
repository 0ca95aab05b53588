import NIOCore
import ProbeKit
import ProbePlatform

/// A TCP port that is bound and never listens: it refuses every connection, and no other process can get it.
final class ReservedPort: Sendable {
    let port: UInt16
    private let descriptor: CInt

    /// - Parameter port: the port; 0 for any free one.
    init(_ address: IPAddress, port: UInt16 = 0) throws {
        let wanted = try SocketAddress(ipAddress: address.description, port: Int(port))
        let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, Platform.stream, 0)
        guard descriptor >= 0 else {
            throw errno == EAFNOSUPPORT
                ? LabError.noSuchAddress(address) : LabError.cannotServe("no socket is left")
        }
        let isBound = unsafe wanted.withSockAddr { unsafe bind(descriptor, $0, socklen_t($1)) == 0 }
        let isMissing = !isBound && errno == EADDRNOTAVAIL
        guard isBound, let bound = Self.port(of: descriptor) else {
            // A class whose initialiser throws early has no deinit.
            close(descriptor)
            throw isMissing ? LabError.noSuchAddress(address) : .cannotServe("no port is free on \(address)")
        }
        self.descriptor = descriptor
        self.port = bound
    }

    deinit {
        close(descriptor)
    }

    private static func port(of descriptor: CInt) -> UInt16? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isKnown else { return nil }
        // The port is in bytes 2 and 3 of both sockaddr_in and sockaddr_in6.
        return unsafe withUnsafeBytes(of: &storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }
}
