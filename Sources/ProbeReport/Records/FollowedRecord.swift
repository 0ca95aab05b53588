package import ProbeKit

/// The answer to one question on the way to a server, as reports show it.
package struct FollowedRecord: Encodable, Sendable {
    struct Answer: Encodable, Sendable {
        let priority: UInt16
        @Always var weight: UInt16?
        let target: String
        @Always var port: UInt16?
        let alpn: [String]
        let hints: [String]
        /// True if the record has a configuration for encrypted ClientHellos; it is never used.
        let ech: Bool
        /// The reason why the record is not used; null for one that is.
        @Always var unused: String?

        init(_ record: FollowedRecords.Record) {
            priority = record.priority
            target = PrintableText.escape(record.target)
            alpn = record.alpn.map { PrintableText.escape($0) }
            hints = record.hints.map(\.description)
            ech = record.hasECH
            weight = record.weight
            port = record.port
            unused = record.unused.map { PrintableText.escape($0) }
        }
    }

    let name: String
    let type: String
    /// The names that aliases of the answer led over.
    let aliases: [String]
    let records: [Answer]

    /// Creates the record of a question.
    package init(_ followed: FollowedRecords) {
        name = followed.name
        type = followed.type
        aliases = followed.aliases
        records = followed.records.map(Answer.init)
    }
}

extension FollowedRecord: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("aliases", aliases)
            $0.field("name", name)
            $0.field("records", records)
            $0.field("type", type)
        }
    }
}

extension FollowedRecord.Answer: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            $0.field("alpn", alpn)
            $0.field("ech", ech)
            $0.field("hints", hints)
            $0.field("port", port)
            $0.field("priority", priority)
            $0.field("target", target)
            $0.field("unused", unused)
            $0.field("weight", weight)
        }
    }
}
