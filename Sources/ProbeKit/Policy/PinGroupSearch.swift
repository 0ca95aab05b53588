/// Looks for one group's pins in a connection's chain.
struct PinGroupSearch {
    private let group: PinGroup
    /// The pins of the group that still count.
    private let pins: [Pin]
    private let connection: ConnectionEvidence

    /// - Parameter pins: those of the group that count.
    init(_ group: PinGroup, pins: [Pin], in connection: ConnectionEvidence) {
        self.group = group
        self.pins = pins
        self.connection = connection
    }

    /// What was found: a note that names the match, or what there is to say about a mismatch (gotcha G1).
    enum Result {
        case matched(Finding)
        case mismatched(message: String, fix: String)
    }

    func run() -> Result {
        let chain = connection.indices(of: group.chain)
        let matches = chain.enumerated().compactMap { depth, index -> (depth: Int, index: Int, pin: Pin)? in
            // A certificate whose key can't be read is passed over (requirement 61).
            guard group.position.includes(index: depth),
                let digests = try? connection.certificates[index].digests.get(),
                let pin = pins.first(where: { digests[$0.kind] == $0.digest })
            else { return nil }
            return (depth, index, pin)
        }
        guard let first = matches.first, let widest = matches.last else { return mismatch(chain: chain) }
        let (name, scope) = (connection.certificates[first.index].name, connection.certificates[widest.index].name)
        var message =
            "the \(first.pin.kind.name) pin \(first.pin.digest.base64) matches certificate \(first.depth), \(name)"
        // The pins are alternatives, so the group is as wide as the widest of them (requirement 65, decision K20).
        if widest.depth > first.depth { message += "; certificate \(widest.depth) is pinned too" }
        if widest.depth > 0 { message += "; effective scope: any certificate issued under \(scope)" }
        return .matched(.note("pin-matched", stage: .pins, message))
    }

    private func mismatch(chain: [Int]) -> Result {
        let near = pins.lazy.compactMap { pin in NearMatch(pin, in: connection, chain: chain) }.first
        let pinned = pins.map { "\($0.kind.name) \($0.digest.base64)" }.joined(separator: ", ")
        let isUnvalidated = group.chain == .validated && connection.validated == nil
        let looked =
            isUnvalidated
            ? "the leaf, which is all there is without a validated path" : group.position.searched(in: chain.count)
        var message = "no pin of \(group) matches \(looked): pinned \(pinned)"
        if let near { message += "; \(near.explanation)" } else { message += seen(chain: chain) }
        return .mismatched(message: message, fix: near?.fix ?? fix(chain: chain))
    }

    /// What the searched certificates have instead.
    private func seen(chain: [Int]) -> String {
        guard let kind = pins.first?.kind else { return "; the group is empty" }
        let digests = chain.enumerated().compactMap { depth, index -> String? in
            guard group.position.includes(index: depth), let digests = try? connection.certificates[index].digests.get()
            else { return nil }
            return "\(depth): \(digests[kind].base64)"
        }
        return digests.isEmpty
            ? "; there is no such certificate" : "; the server has \(digests.joined(separator: ", "))"
    }

    private func fix(chain: [Int]) -> String {
        guard let kind = pins.first?.kind,
            let depth = chain.indices.first(where: { group.position.includes(index: $0) }),
            let digests = try? connection.certificates[chain[depth]].digests.get()
        else { return "pin a certificate that the server's chain has" }
        return
            "if this server is yours and its key was changed on purpose, pin --pin \(kind.rawValue)@\(group.position):sha256:\(digests[kind].base64)"
    }
}

extension PinPosition {
    /// Which certificates of a chain of a length were searched, for people.
    fileprivate func searched(in count: Int) -> String {
        switch self {
        case .leaf: "the leaf"
        case .ca: "any CA certificate of the chain"
        case .any: count == 1 ? "the only certificate of the chain" : "any of the \(count) certificates of the chain"
        case .first(let limit): "the first \(min(limit, count)) certificates of the chain"
        }
    }
}
