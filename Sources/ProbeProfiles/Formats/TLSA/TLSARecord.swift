import ProbeKit

/// The four fields of a TLSA record (RFC 6698 section 2.1).
struct TLSARecord {
    let usage: Int
    let selector: Int
    let matching: Int
    let data: [UInt8]
    let line: Int

    /// - Parameter fields: usage, selector, matching type and hexadecimal digits, perhaps in pieces.
    init(_ fields: some Collection<Substring>, line: Int, _ input: FormatInput) throws(InputError) {
        let numbers = fields.prefix(3).compactMap { UInt8($0) }.map(Int.init)
        let data = Hex.decode(fields.dropFirst(3).joined())
        guard numbers.count == 3, let data, !data.isEmpty else {
            throw input.refuse(
                "is no TLSA record", line: line, remedy: "write usage, selector, matching type and hexadecimal digits")
        }
        (usage, selector, matching, self.data, self.line) = (numbers[0], numbers[1], numbers[2], data, line)
    }

    /// The positions where the pin may match; nil for an unknown usage.
    var position: PinPosition? {
        switch usage {
        case 0, 2: .ca
        case 1, 3: .leaf
        default: nil
        }
    }

    /// The kind of the record's data; nil for an unknown selector.
    var kind: PinKind? {
        switch selector {
        case 0: .cert
        case 1: .spki
        default: nil
        }
    }
}
