import ProbeDNS

extension LabDNSRecord {
    /// Returns well-formed data of a type; of one without a known form, a few bytes.
    public static func sample(of type: UInt16) -> [UInt8] {
        (DNSRecordForm.fields[type] ?? [.rest]).flatMap { field -> [UInt8] in
            switch field {
            case .bytes(let count): [UInt8](repeating: 1, count: count)
            case .name, .plainNames: [1, 0x61, 0]
            case .string, .optionalString, .strings: [1, 0x31]
            case .parameters: [0, 1, 0, 3, 2, 0x68, 0x32]
            case .typeBitmap: [0, 1, 0x40]
            case .prefixes: [0, 1, 8, 1, 10]
            case .location: [0, 0x12, 0x16, 0x13] + [0x80, 0, 0, 1, 0x80, 0, 0, 1, 0, 0x98, 0x96, 0x80]
            case .keyGateway: [10, 1, 2, 192, 0, 2, 1]
            case .relay: [10, 1, 192, 0, 2, 1]
            case .hostIdentity: [1, 2, 0, 1, 0xaa, 0xbb]
            case .rest: [1, 2, 3, 4]
            }
        }
    }
}
