import ProbeDNS
import ProbeKit
import ProbeLab
import Testing

/// The data that each type's RFC asks for at least, written here a second time and by hand.
@Suite struct RecordFieldsTests {
    /// The shortest data of a type, and whether more may follow.
    struct Shape: Sendable, CustomTestStringConvertible {
        let type: UInt16
        let data: [UInt8]
        let isOpen: Bool

        var testDescription: String { "\(DNSType.name(type)) (\(type))" }
    }

    /// Fixed fields are of 9s: read as a name or as a string's length they go beyond the data.
    private static func fixed(_ count: Int) -> [UInt8] { [UInt8](repeating: 9, count: count) }
    private static let name: [UInt8] = [2, 0x61, 0x62, 0]
    /// As long that its length begins no label.
    private static let string: [UInt8] = [70] + fixed(70)
    /// A bitmap of types: window 0, one byte.
    private static let bitmap: [UInt8] = [0, 1, 0x40]

    private static let exact: [(types: [UInt16], data: [UInt8])] = [
        ([1], fixed(4)), ([28], fixed(16)), ([104, 106], fixed(10)), ([105, 108], fixed(6)), ([109], fixed(8)),
        ([2, 3, 4, 5, 7, 8, 9, 12, 39], name), ([14, 17, 58], name + name),
        ([15, 18, 21, 36, 107], fixed(2) + name), ([26], fixed(2) + name + name),
        ([6], name + name + fixed(20)), ([33], fixed(6) + name),
        ([13], string + string), ([19], string), ([27], string + string + string),
        ([35], fixed(4) + string + string + string + name), ([51], fixed(4) + string),
        ([29], [0] + fixed(15)), ([47], name + bitmap), ([50], fixed(4) + string + string + bitmap),
        ([62], fixed(6) + bitmap), ([16, 56, 99, 258], string), ([20], string + string),
        // Key 1 with no value, then key 2 with one byte.
        ([64, 65], fixed(2) + name + [0, 1, 0, 0, 0, 2, 0, 1, 9]),
        ([42], [0, 1, 24, 2, 9, 9]), ([55], [1, 9, 0, 2, 9, 9, 9] + name),
        ([260], [9, 1] + fixed(4)), ([260], [9, 0x82] + fixed(16)), ([260], [9, 3] + name), ([260], [9, 0]),
    ]

    private static let open: [(types: [UInt16], data: [UInt8])] = [
        ([25, 43, 48, 57, 59, 60, 256, 32_768, 32_769], fixed(4)), ([11, 37], fixed(5)), ([44], fixed(2)),
        ([24, 46], fixed(18) + name), ([30], name), ([52, 53], fixed(3)), ([63], fixed(6)),
        ([257], fixed(1) + string), ([45], [9, 0, 9]), ([45], [9, 1, 9] + fixed(4)), ([45], [9, 2, 9] + fixed(16)),
        ([45], [9, 3, 9] + name),
    ]

    static let shapes: [Shape] =
        exact.flatMap { row in row.types.map { Shape(type: $0, data: row.data, isOpen: false) } }
        + open.flatMap { row in row.types.map { Shape(type: $0, data: row.data, isOpen: true) } }

    private func accepts(_ type: UInt16, _ data: [UInt8]) throws -> Bool {
        let record = LabDNSRecord(owner: try DNSName("beside.test"), type: type, data: data)
        let reply = try LabReply.bytes(LabDNSMessage(answers: [.txt("florida")], authorities: [record]))
        return (try? DNSMessage(reply)) != nil
    }

    @Test(arguments: shapes) func theDataIsThatOfTheType(_ shape: Shape) throws {
        #expect(try accepts(shape.type, shape.data))
        #expect(try !accepts(shape.type, shape.data.dropLast()))
        #expect(try accepts(shape.type, shape.data + [9]) == shape.isOpen)
    }

    @Test func everyKnownFormIsHere() {
        #expect(Set(Self.shapes.map(\.type)) == Set(DNSRecordForm.fields.keys))
    }

    @Test(arguments: [UInt16(0), 10, 22, 31, 34, 38, 49, 61, 66, 98, 100, 103, 110, 127, 259, 261, 65_280])
    func dataOfAnotherTypeIsNotLookedAt(_ type: UInt16) throws {
        #expect(try accepts(type, []))
        #expect(try accepts(type, Self.fixed(3)))
    }

    /// Questions' types and transactions have no data in a reply.
    @Test func someTypesAreNoData() throws {
        for type in (UInt16(0)...300).filter({ DNSRecordForm.fields[$0] == nil && $0 != DNSType.opt }) {
            #expect(try accepts(type, []) == !((128...255).contains(type) || [23, 40].contains(type)), "\(type)")
        }
    }

    // MARK: Forms with items

    @Test func stringsAreCounted() throws {
        for type in [UInt16(16), 56, 99, 258] {
            #expect(try accepts(type, [0]))
            #expect(try accepts(type, Self.string + Self.string + [0]))
            #expect(try !accepts(type, []))
        }
        // The second string of ISDN may be missing.
        #expect(try accepts(20, Self.string))
    }

    @Test func keysAscend() throws {
        let start = Self.fixed(2) + Self.name
        #expect(try accepts(65, start))
        #expect(try accepts(65, start + [0, 0, 0, 0]))
        #expect(try !accepts(65, start + [0, 1, 0, 0, 0, 1, 0, 0]))
        #expect(try !accepts(65, start + [0, 2, 0, 0, 0, 1, 0, 0]))
    }

    /// A binding that was asked for spoils its set (RFC 9460 section 2.2), and every other record the reply.
    @Test(arguments: [UInt16(64), 65]) func aBindingThatWasAskedForIsNotChecked(question: UInt16) throws {
        let query = DNSQueryMessage.bytes(name: try LabReply.name(), id: LabReply.id, ednsSize: nil, type: question)
        let asked = try #require(LabDNSQuery(query, over: .tcp, from: 5300))
        let types: [(UInt16, Bool)] = [(64, true), (65, true), (1, false), (33, false), (40, false)]
        for (type, isRead) in types {
            let record = LabDNSRecord(type: type, data: [0])
            let replies = [LabDNSMessage(answers: [record]), LabDNSMessage(authorities: [record])]
            for reply in replies.map({ $0.wireBytes(to: asked) }) {
                #expect(((try? DNSMessage(reply)) != nil) == isRead, "\(type)")
            }
        }
    }

    @Test func bitmapsHaveOneTo32Bytes() throws {
        #expect(try accepts(47, Self.name))
        #expect(try accepts(47, Self.name + [0, 32] + Self.fixed(32)))
        #expect(try !accepts(47, Self.name + [0, 0]))
        #expect(try !accepts(47, Self.name + [0, 33] + Self.fixed(33)))
        #expect(try accepts(47, Self.name + [0, 1, 9, 1, 1, 9]))
        #expect(try !accepts(47, Self.name + [1, 1, 9, 1, 1, 9]))
    }

    @Test func aPrefixesFirstBitIsItsNegation() throws {
        #expect(try accepts(42, []))
        #expect(try accepts(42, [0, 1, 24, 0x82, 9, 9]))
        #expect(try !accepts(42, [0, 1, 24, 3, 9, 9]))
    }

    @Test func aLocationIsOfVersion0() throws {
        #expect(try !accepts(29, [1] + Self.fixed(15)))
    }

    @Test func aGatewayIsOfAKnownType() throws {
        #expect(try !accepts(45, [9, 4, 9]))
        #expect(try !accepts(260, [9, 4]))
        // The first bit of a relay's type is another flag.
        #expect(try accepts(260, [9, 0x80]))
    }

    @Test func aRendezvousServersNameIsNotCompressed() throws {
        let identity: [UInt8] = [1, 9, 0, 2, 9, 9, 9]
        #expect(try accepts(55, identity))
        #expect(try !accepts(55, identity + [0xc0, 12]))
        #expect(try !accepts(55, identity + [64] + Self.fixed(64) + [0]))
        #expect(try accepts(55, identity + [63] + Self.fixed(63) + [0]))
        // Four labels of 62 bytes and the root are 253, and two more are 255.
        let labels = Array(repeating: [62] + Self.fixed(62), count: 4).flatMap(\.self)
        #expect(try accepts(55, identity + labels + [1, 9, 0]))
        #expect(try !accepts(55, identity + labels + [2, 9, 9, 0]))
    }
}
