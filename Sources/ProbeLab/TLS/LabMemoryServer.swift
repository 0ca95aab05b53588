import CProbeBoringSSL
package import ProbeKit

/// One connection of a TLS server in memory, over the BoringSSL inside NIOSSL, which shows neither of the two settings that
/// this is for: a staple, and timestamps. Sole owner of its C object.
@safe package final class LabMemoryServer {
    /// The consequences of bytes that the client sent.
    package struct Answer {
        /// The bytes for the client.
        package internal(set) var sent: [UInt8] = []
        /// The bytes that the client sent inside TLS.
        package internal(set) var received: [UInt8] = []
        /// True if the connection failed, or the client closed it.
        package internal(set) var isOver = false
    }

    /// The size of a buffer for one record's content.
    private static let recordSize = 16 * 1024

    private let server: OpaquePointer

    /// A server that presents an identity, staples `staple`, and sends `timestamps`.
    ///
    /// - Throws: ``LabError`` if BoringSSL rejects one of them.
    package init(
        _ identity: LabIdentity, versions: ClosedRange<TLSVersion> = .tls12 ... .tls13, staple: [UInt8]?,
        timestamps: [[UInt8]]
    ) throws {
        guard
            let server = unsafe cprobe_boringssl_server_new(
                versions.lowerBound.wireValue, versions.upperBound.wireValue)
        else { throw LabError.cannotServe("BoringSSL can't make a server of these versions") }
        unsafe self.server = server
        var results = identity.chain.map { der in
            unsafe cprobe_boringssl_server_add_certificate(server, der, der.count)
        }
        let key = Array(identity.keyPEM.utf8)
        results.append(unsafe cprobe_boringssl_server_set_key(server, key, key.count))
        if let staple { results.append(unsafe cprobe_boringssl_server_staple(server, staple, staple.count)) }
        if !timestamps.isEmpty {
            let list = Self.prefixed(timestamps.flatMap(Self.prefixed))
            results.append(unsafe cprobe_boringssl_server_send_timestamps(server, list, list.count))
        }
        guard results.allSatisfy({ $0 == 1 }) else {
            throw LabError.cannotServe("BoringSSL rejects its certificates, its key, its staple or its timestamps")
        }
    }

    deinit {
        unsafe cprobe_boringssl_server_free(server)
    }

    /// Takes bytes of the client, and continues.
    package func take(_ bytes: [UInt8]) -> Answer {
        unsafe cprobe_boringssl_server_feed(server, bytes, bytes.count)
        var answer = Answer()
        var record = [UInt8](repeating: 0, count: Self.recordSize)
        var count = unsafe cprobe_boringssl_server_read(server, &record, CInt(record.count))
        while count > 0 {
            answer.received += record.prefix(Int(count))
            count = unsafe cprobe_boringssl_server_read(server, &record, CInt(record.count))
        }
        answer.isOver = count < 0
        var sent = [UInt8](repeating: 0, count: unsafe cprobe_boringssl_server_pending(server))
        unsafe cprobe_boringssl_server_take(server, &sent, CInt(clamping: sent.count))
        answer.sent = sent
        return answer
    }

    /// Returns the bytes after their number, as lists of TLS have it.
    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
