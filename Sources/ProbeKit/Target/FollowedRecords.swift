/// The answer to one question on the way from a name to its service: SRV records (RFC 2782), those of a mail domain
/// (RFC 5321 section 5) or service bindings (RFC 9460).
package struct FollowedRecords: Hashable, Sendable, CustomStringConvertible {
    /// One record, in the order in which clients use them.
    package struct Record: Hashable, Sendable {
        /// The priority, or MX's preference, of which the lowest comes first; 0 of a service binding is an alias.
        package let priority: UInt16
        /// The weight among records of one priority; nil for a type without one.
        package var weight: UInt16?
        /// The name that has the addresses; `.` offers no service, or means the record's own name.
        package let target: String
        /// The port; nil is the target's.
        package var port: UInt16?
        /// The application protocols, as a service binding lists them.
        package var alpn: [String] = []
        /// The addresses beside the name, for a client that finds none of its own.
        package var hints: [IPAddress] = []
        /// True if the record has a configuration for encrypted ClientHellos, which is not used.
        package var hasECH = false
        /// The reason why the record is not used; nil for one that is.
        package var unused: String?

        package init(priority: UInt16, target: String) {
            self.priority = priority
            self.target = target
        }
    }

    /// The name that was asked for.
    package let name: String
    /// The mnemonic of the records' type.
    package let type: String
    /// The names that aliases of the answer lead over.
    package let aliases: [String]
    /// The records; empty if there are none.
    package let records: [Record]

    package init(name: String, type: String, aliases: [String], records: [Record]) {
        self.name = name
        self.type = type
        self.aliases = aliases
        self.records = records
    }

    /// The question and the answer on one line.
    package var description: String {
        let course = ([name] + aliases).joined(separator: " → ")
        return "\(course) \(type) " + (records.isEmpty ? "none" : records.map(\.description).joined(separator: "; "))
    }
}

extension FollowedRecords.Record: CustomStringConvertible {
    /// The fields as a zone has them, and why the record is not used.
    package var description: String {
        var words = weight.map { ["\(priority)", "\($0)", "\(port ?? 0)", target] } ?? ["\(priority)", target]
        if weight == nil, let port { words.append("port=\(port)") }
        if !alpn.isEmpty { words.append("alpn=" + alpn.map { PrintableText.escape($0) }.joined(separator: ",")) }
        if !hints.isEmpty { words.append("hints=" + hints.map(\.description).joined(separator: ",")) }
        if hasECH { words.append("ech (not used)") }
        if let unused { words.append("(not used: \(PrintableText.escape(unused)))") }
        return words.joined(separator: " ")
    }
}
