import FoundationEssentials
import ProbeKit

/// Where in a served chain a pin of a set matches, by the judgement that checks use.
struct ServedPin {
    /// The matching certificate's place in the chain, the leaf being 0.
    let depth: Int

    /// Nil where the pin does not match.
    init?(_ pin: Pin, of set: PinSet, in connection: ConnectionEvidence) {
        let alone = PinGroup([pin], position: set.position, chain: set.chain)
        let evidence = Evidence(connection: connection, model: nil)
        guard PinsMatch([alone]).judge(evidence, at: connection.instant).contains(where: { $0.code == "pin-matched" })
        else { return nil }
        let depth = connection.indices(of: set.chain).enumerated().first { depth, index in
            set.position.includes(index: depth)
                && (try? connection.certificates[index].digests.get())?[pin.kind] == pin.digest
        }
        guard let depth else { return nil }
        self.depth = depth.offset
    }
}
