import NIOCore
package import ProbeKit

extension Endpoint {
    /// The address of a DNS server; a name can't be one, for who would look it up?
    package func serverAddress() throws(DNSFailure) -> IPAddress {
        guard case .ip(let address) = host else {
            throw DNSFailure(.badQuery, "the DNS server \(self) is given by name; give its address")
        }
        return address
    }

    /// The address to send queries to.
    func socketAddress() throws(DNSFailure) -> SocketAddress {
        let address = try serverAddress()
        do {
            return try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: Int(port))
        } catch {
            throw DNSFailure(.badQuery, "the DNS server \(self) has no usable address: \(error)")
        }
    }
}
