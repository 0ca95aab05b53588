import ProbeKit

/// Writes lines `KIND[@POSITION]:sha256:HEX`.
enum HexWriter: FormatWriter {
    static let traits = FormatTraits(
        kinds: Set(PinKind.allCases), positions: .all, sets: .oneForEachKindAndPosition, hosts: .none)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        DigestLines.write(pinned) { set, pin in
            let assumed: PinPosition = pin.kind == .cert ? .leaf : .any
            let position = set.position == assumed ? "" : "@\(set.position)"
            return "\(pin.kind.rawValue)\(position):sha256:\(pin.digest.hex)"
        }
    }
}
