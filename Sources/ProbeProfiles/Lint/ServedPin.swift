import FoundationEssentials
import ProbeKit

/// The position in a served chain at which a pin of a set matches, by the same policy as checks.
struct ServedPin {
    /// The matching certificate's place in the chain, the leaf being 0.
    let depth: Int
    /// The matching certificate's name.
    let name: String
    /// The policy's finding if the match alone is not enough: it is on no valid path, or not on all deciding ones.
    let reservation: Finding?
    /// True if a check passes with it.
    var passes: Bool { reservation?.severity != .error }

    private static let reservations: Set<String> = ["pin-not-validated", "paths-differ"]

    /// Creates the position; nil if the pin does not match.
    init?(_ pin: Pin, of set: PinSet, in connection: ConnectionEvidence) {
        let alone = PinGroup([pin], position: set.position, chain: set.chain)
        let findings = PinsMatch([alone]).judge(Evidence(connection: connection, model: nil), at: connection.instant)
        reservation = findings.first { Self.reservations.contains($0.code) }
        guard reservation != nil || findings.contains(where: { $0.code == "pin-matched" }) else { return nil }
        let places = connection.chains(set.chain, by: .both).flatMap { $0.indices.enumerated() }
        let place = places.first { depth, index in
            set.position.includes(index: depth)
                && (try? connection.certificates[index].digests.get())?[pin.kind] == pin.digest
        }
        guard let place else { return nil }
        depth = place.offset
        name = connection.certificates[place.element].name
    }
}
