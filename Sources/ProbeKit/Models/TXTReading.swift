/// The strict reader's result for a reply.
public enum TXTReading: Hashable, Sendable {
    /// The form in which a server answers that there are no records.
    public enum Absence: String, Hashable, Sendable, Codable {
        /// NXDOMAIN: the name does not exist.
        case nameError = "nxdomain"
        /// NODATA: the name exists and has no TXT record.
        case noData = "nodata"
    }

    /// The name's TXT records; at least one.
    case records([TXTRecord])
    /// The server reports that there are none.
    case absent(Absence)
    /// Nothing is known.
    case indeterminate(DNSDoubt)

    package var isIndeterminate: Bool {
        if case .indeterminate = self { true } else { false }
    }
}
