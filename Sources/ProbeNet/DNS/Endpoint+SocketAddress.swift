import NIOCore
package import ProbeKit
import ProbePlatform

extension Endpoint {
    /// Returns the address of a DNS server; a name is not accepted, since looking it up would need a resolver.
    package func serverAddress() throws(DNSFailure) -> IPAddress {
        guard case .ip(let address) = host else {
            throw DNSFailure(.badQuery, "the DNS server \(self) is given by name; give its address")
        }
        return address
    }

    /// Returns the number of the interface that the zone names; 0 if there is no zone.
    package func scopeID() throws(DNSFailure) -> UInt32 {
        guard let zone else { return 0 }
        let number = if let number = UInt32(zone) { number } else { unsafe if_nametoindex(zone) }
        guard number != 0 else {
            throw DNSFailure(.badQuery, "the DNS server \(self) is on an interface that this machine does not have")
        }
        return number
    }

    /// Returns the address to send queries to.
    func socketAddress() throws(DNSFailure) -> SocketAddress {
        let address = try serverAddress()
        let scope = try scopeID()
        do {
            guard scope != 0 else {
                return try SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: Int(port))
            }
            // Numbers alone, so that nothing is looked up.
            return try .makeAddressResolvingHost("\(address)%\(scope)", port: Int(port))
        } catch {
            throw DNSFailure(.badQuery, "the DNS server \(self) has no usable address: \(error)")
        }
    }
}
