import ProbeDNS
import ProbeKit

extension FuzzTarget {
    /// A DNS reply, and the strict reading of the TXT records in it, asked for the name that is in it.
    static let dnsMessage = FuzzTarget("dns-message", upTo: 2048) { bytes in
        let message = try? DNSMessage(bytes)
        guard let header = DNSHeader(bytes) else { return try hold(message == nil, "a message without a header") }
        if let message {
            let records = message.answers + message.authorities + message.additional
            try hold(
                records.count == header.counts[1] + header.counts[2] + header.counts[3],
                "the message has another number of records than its header says")
            for record in records {
                try hold(
                    record.data.lowerBound >= DNSHeader.size && record.data.upperBound <= bytes.count,
                    "a record's data is outside the message: \(record.data)")
                try hold(record.owner.wireBytes.count <= 255, "a name has more than 255 bytes")
            }
            for record in message.answers where record.type == DNSType.txt {
                let strings = try message.strings(of: record)
                try hold(
                    strings.reduce(0) { $0 + 1 + $1.count } == record.data.count,
                    "the strings are not all of their record")
            }
            try hold((try? DNSMessage(bytes + [0])) == nil, "a byte more is accepted")
        }
        guard let name = message?.question?.name ?? rootName else { return }
        let reading = TXTReader.read(bytes, id: header.id, name: name)
        try hold(reading == TXTReader.read(bytes, id: header.id, name: name), "two readings of one reply differ")
        try hold(TXTReader.read(bytes, id: ~header.id, name: name).isIndeterminate, "another query's reply counts")
        guard !reading.isIndeterminate else { return }
        try hold(message != nil && header.isReply, "a reading of what is not a message")
        if case .records(let records) = reading {
            try hold(!records.isEmpty, "a reading of no records")
            for record in records {
                try hold(
                    !record.strings.isEmpty && record.strings.allSatisfy { $0.count < 256 }, "a string is too long")
                // Whatever a server sends, the text of it leads back to it.
                let text = MasterFileText.quoted(record.strings)
                try hold((try? MasterFileStrings.parse(text)) == record.strings, "'\(text)' is not read back")
            }
            for model in [nil, try? ModelName("florida")] {
                let list = ModelList(records: records, strings: .joined)
                _ = ModelReading(list, model: model)
            }
        }
    }

    /// A TXT record as `dig` prints it: what is written is read back.
    static let txtText = FuzzTarget("txt-text", upTo: 1024) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self),
            let strings = try? MasterFileStrings.parse(text)
        else { return }
        try hold(!strings.isEmpty && strings.allSatisfy { $0.count < 256 }, "no strings, or one that is too long")
        let written = MasterFileText.quoted(strings)
        try hold((try? MasterFileStrings.parse(written)) == strings, "'\(written)' is not read back")
    }

    private static let rootName = DNSName(labels: [])
}
