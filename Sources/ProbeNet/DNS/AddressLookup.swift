import ProbeDNS
import ProbeKit

/// The two lookups that a name's addresses take.
enum AddressLookup {
    /// Returns the addresses of a name, those of IPv4 first; none if it has none.
    ///
    /// Each lookup has an equal part of the time, and its failure counts only where the other finds nothing.
    ///
    /// - Parameter ask: returns the name's records of a type, and the message that holds them.
    static func addresses<Failure: Error>(
        by deadline: Deadline,
        ask: (_ type: UInt16, _ deadline: Deadline) async throws(Failure) -> (DNSMessage, [DNSRecord])
    ) async throws(Failure) -> [IPAddress] {
        let types = [(DNSType.a, 4), (DNSType.aaaa, 16)]
        var found: [IPAddress] = []
        var failure: Failure?
        for (index, (type, size)) in types.enumerated() {
            do throws(Failure) {
                let (message, records) = try await ask(type, deadline.share(among: types.count - index))
                for record in records where record.data.count == size {
                    if let address = IPAddress(bytes: Array(message.bytes[record.data])), !found.contains(address) {
                        found.append(address)
                    }
                }
            } catch {
                failure = failure ?? error
            }
        }
        guard let failure, found.isEmpty else { return found }
        throw failure
    }
}
