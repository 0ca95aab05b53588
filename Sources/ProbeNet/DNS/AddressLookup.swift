import ProbeDNS
import ProbeKit

/// The lookups that a name's addresses take, one for each family.
enum AddressLookup {
    /// Returns the addresses of a name, those of IPv4 first; none if it has none.
    ///
    /// Each lookup has an equal part of the time, and its failure counts only where the other finds nothing.
    ///
    /// - Parameters:
    ///   - family: the only family that is asked for; nil asks for both.
    ///   - ask: returns the name's records of a type, and the message that holds them.
    static func addresses<Failure: Error>(
        of family: IPAddress.Family? = nil, by deadline: Deadline,
        ask: (_ type: UInt16, _ deadline: Deadline) async throws(Failure) -> (DNSMessage, [DNSRecord])
    ) async throws(Failure) -> [IPAddress] {
        let types = (family.map { [$0] } ?? IPAddress.Family.allCases).map { family in
            family == .ipv4 ? (DNSType.a, 4) : (DNSType.aaaa, 16)
        }
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
