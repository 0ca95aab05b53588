import ProbeKit

/// The usages of the records that pins were read from. A profile knows of them only whether a pin is of the leaf or of a CA,
/// and not whether the chain has to be trusted too (RFC 6698 section 2.1.1).
struct TLSAUsages: Hashable, Sendable {
    private struct Record: Hashable {
        let pin: Pin
        /// The host; nil for records without an owner.
        let host: String?
        let port: UInt16?

        /// A digest's own hash is of its first word, which the author of a file chooses.
        func hash(into hasher: inout Hasher) {
            hasher.combine(pin.digest.bytes)
            hasher.combine(host)
            hasher.combine(port)
        }
    }

    private var known: [Record: [Int]] = [:]

    /// - Parameter target: the server; nil for records without an owner.
    mutating func add(_ usage: Int, of pin: Pin, for target: Target?) {
        let record = Record(pin: pin, host: target?.name.description, port: target?.port)
        if known[record]?.contains(usage) != true { known[record, default: []].append(usage) }
    }

    /// Returns the usages of a server's pin, else of the pin in records without an owner, as far as they are for a position.
    func of(_ pin: Pin, host: String, port: UInt16, at position: PinPosition) -> [Int] {
        let usages =
            known[Record(pin: pin, host: host, port: port)] ?? known[Record(pin: pin, host: nil, port: nil)] ?? []
        return usages.filter { usage in
            switch position {
            case .leaf: usage == 1 || usage == 3
            case .ca: usage == 0 || usage == 2
            case .any, .first: true
            }
        }
    }
}
