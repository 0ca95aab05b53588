import Foundation

/// A socket as the kernel lists it. Two sockets that have one port after another differ in their numbers.
public struct KernelSocket: Hashable, Sendable {
    /// The kernel keeps a list for each.
    public enum Kind: String, CaseIterable, Sendable { case tcp, tcp6, udp, udp6 }

    /// The list the socket is in.
    public let kind: Kind
    /// The local address in the kernel's hexadecimal: 127.0.0.1 is `0100007F`.
    public let address: String
    /// The local port.
    public let port: UInt16
    /// Whether it waits for connections.
    public let isListening: Bool
    /// The number of the socket's inode, 0 where it has been closed and the kernel still waits for the peer.
    public let inode: UInt64

    /// Reads the kernel's lists. They may leave out a socket while others come and go: one look proves presence alone.
    public static func read(_ kinds: Kind...) throws -> Set<KernelSocket> { try read(kinds) }

    private static func read(_ kinds: [Kind]) throws -> Set<KernelSocket> {
        var sockets: Set<KernelSocket> = []
        for kind in kinds.isEmpty ? Kind.allCases : kinds {
            let table = try String(contentsOfFile: "/proc/net/\(kind.rawValue)", encoding: .utf8)
            for line in table.split(separator: "\n").dropFirst() {
                let fields = line.split(separator: " ")
                let local = fields.count > 9 ? fields[1].split(separator: ":") : []
                guard local.count == 2, let port = UInt16(local[1], radix: 16), let inode = UInt64(fields[9]) else {
                    continue
                }
                let isListening = fields[3] == "0A"
                sockets.insert(
                    KernelSocket(
                        kind: kind, address: String(local[0]), port: port, isListening: isListening, inode: inode))
            }
        }
        return sockets
    }

    /// Reads the kernel's lists for the sockets of this process, whatever else the machine runs.
    public static func own(_ kinds: Kind...) throws -> Set<KernelSocket> {
        // First the lists: a socket that is opened in between is not in them, one that is closed is no longer ours.
        let all = try read(kinds)
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        let inodes = Set(
            links.compactMap { $0.wholeMatch(of: #/socket:\[(\d+)\]/#).flatMap { UInt64($0.1) } })
        return all.filter { inodes.contains($0.inode) }
    }
}
