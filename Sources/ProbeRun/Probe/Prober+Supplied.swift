public import ProbeKit

extension Prober {
    /// Judges certificates that a server may present one day, without a connection: trust by each transport's stack and
    /// by the reference verifier, pins, policies and expiry. DNS is not queried.
    ///
    /// - Parameters:
    ///   - check: the target's check; its alternates and server requests are ignored.
    ///   - chain: DER, the leaf first.
    /// - Returns: a result for each transport, in their order.
    public func probe(
        _ check: Check, supplied chain: [[UInt8]], through transports: [any Transport]
    ) async -> [ProbeResult] {
        let stacks: [any Transport] = transports.map { SuppliedChainTransport(chain, judgedBy: $0) }
        return await probe(check.withoutConnection, through: stacks, resolvers: [])
    }
}
