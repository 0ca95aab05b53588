public import ProbeKit

extension Prober {
    /// The ordinary judgement of certificates that a server may present one day, without a connection: trust by each
    /// transport's stack and by the reference verifier, pins, policies and expiry. DNS is not asked.
    ///
    /// - Parameters:
    ///   - check: what is asked of the target; alternates and what the server would have to be asked for do not count.
    ///   - chain: DER, the leaf first.
    /// - Returns: a result for each transport, in their order.
    public func probe(
        _ check: Check, supplied chain: [[UInt8]], through transports: [any Transport]
    ) async -> [ProbeResult] {
        let stacks: [any Transport] = transports.map { SuppliedChainTransport(chain, judgedBy: $0) }
        return await probe(check.withoutConnection, through: stacks, resolvers: [])
    }
}
