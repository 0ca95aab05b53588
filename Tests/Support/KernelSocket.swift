import Foundation
import ProbePlatform

/// A socket of this process, as the kernel describes it. Two sockets that have one port after another differ in their inodes.
///
/// Each descriptor is queried by itself. The lists in `/proc/net` can leave out a socket while others come and go (the kernel
/// finds its place in them again by counting), so that absence from them proves nothing.
public struct KernelSocket: Hashable, Sendable {
    /// The protocol, and the version of IP that the socket is for.
    public enum Kind: Sendable { case tcp, tcp6, udp, udp6 }

    /// The protocol, and the version of IP that the socket is for.
    public let kind: Kind
    /// The local IPv4 address, in network byte order; nil for IPv6.
    public let address: UInt32?
    /// The local port.
    public let port: UInt16
    /// True if it waits for connections.
    public let isListening: Bool
    /// The number of the socket's inode.
    public let inode: UInt64

    /// True if it is bound to 127.0.0.1.
    public var isOnLoopback4: Bool { address == UInt32(0x7f00_0001).bigEndian }

    /// Returns the sockets of this process, whatever else the machine runs: each that is open throughout the call is found.
    public static func own(_ kinds: Kind...) throws -> Set<KernelSocket> {
        let sockets = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap { CInt($0).flatMap(KernelSocket.init(descriptor:)) }
        return Set(sockets.filter { kinds.isEmpty || kinds.contains($0.kind) })
    }

    private init?(descriptor: CInt) {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        guard let number = link?.wholeMatch(of: #/socket:\[(\d+)\]/#)?.1, let inode = UInt64(number),
            let name = Self.name(of: descriptor)
        else { return nil }
        let isStream = Self.option(SO_TYPE, of: descriptor) == Platform.stream
        switch CInt(name.sin_family) {
        case AF_INET: (kind, address) = (isStream ? .tcp : .udp, name.sin_addr.s_addr)
        case AF_INET6: (kind, address) = (isStream ? .tcp6 : .udp6, nil)
        default: return nil
        }
        port = UInt16(bigEndian: name.sin_port)
        isListening = Self.option(SO_ACCEPTCONN, of: descriptor) == 1
        self.inode = inode
    }

    /// Returns a socket's local name. Family and port are at the same places in `sockaddr_in` and `sockaddr_in6`, of which the
    /// kernel writes as much as fits (getsockname(2)).
    private static func name(of descriptor: CInt) -> sockaddr_in? {
        var name = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isKnown = unsafe withUnsafeMutablePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size) == 0
            }
        }
        return isKnown ? name : nil
    }

    /// Returns an option of `SOL_SOCKET`; nil if the descriptor is not a socket any more.
    private static func option(_ option: CInt, of descriptor: CInt) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
    }
}
