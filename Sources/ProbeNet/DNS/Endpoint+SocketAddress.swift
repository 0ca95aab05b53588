import NIOCore
import ProbeKit

extension Endpoint {
    /// The address to send queries to; a name can't be one, for who would look it up?
    func socketAddress() throws(DNSFailure) -> SocketAddress {
        guard case .ip(let address) = host else {
            throw DNSFailure(.badQuery, "the DNS server \(self) is given by name; give its address")
        }
        do {
            return try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: Int(port))
        } catch {
            throw DNSFailure(.badQuery, "the DNS server \(self) has no usable address: \(error)")
        }
    }
}
