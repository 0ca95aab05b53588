import ProbeKit
import ProbePins
import ProbeRun

/// One target of a list, with the fields of its line.
package struct ScanTarget: Sendable {
    let target: Target
    /// The number of its line in the list, from 1 on; nil for an argument of the command.
    var line: Int?
    /// The name on the line; it is repeated in the results.
    var service: String?
    /// Pins instead of those of the command line; nil leaves those.
    var pins: [PinText]?
    /// The files of a client identity instead of the command line's; nil leaves that.
    var identity: IdentityFiles?
    /// Their content, once they were read.
    var clientIdentity: ClientIdentity?
    /// The longest it may take in all; nil is the command line's value.
    var timeout: Duration?
    /// The outcomes of an earlier run that are to be replaced; nil if there are none.
    var earlier: [Outcome]?

    /// The target's identity.
    package var id: ScanID {
        var fields = [target.description, target.connect?.description ?? "", service ?? ""]
        fields.append(timeout.map { "\($0.inSeconds)" } ?? "")
        if let identity { fields += ["client", identity.certificate, identity.key ?? "", identity.passphrase ?? ""] }
        guard let pins else { return ScanID(fields) }
        return ScanID(fields + ["pins"] + pins.map { "\($0.pin.kind.rawValue) \($0.position) \($0.pin.digest.hex)" })
    }
}

/// The next item of a list.
enum ScanItem: Sendable {
    case target(ScanTarget)
    case malformed(MalformedTarget)

    var id: ScanID {
        switch self {
        case .target(let target): target.id
        case .malformed(let line): line.id
        }
    }
}

/// A line that names no target, with the reason.
struct MalformedTarget: Sendable {
    /// Its number in its file, from 1 on.
    let line: Int
    /// The part of it that is worth showing.
    let text: String
    let error: InputError
    let id: ScanID

    init(line: Int, bytes: [UInt8], error: InputError) {
        self.line = line
        text = TokenURI.redacting(PrintableText.escape(String(decoding: bytes.prefix(200), as: UTF8.self)))
        self.error = error
        id = ScanID(hashing: bytes)
    }
}

/// The identity of a target in a list: the first 128 bits of SHA-256 over all fields of its line. It is the same in
/// every run and on every machine, so that a list can be split among machines and resumed.
package struct ScanID: Hashable, Comparable, Sendable {
    let value: UInt128

    /// Creates the identifier of a target.
    ///
    /// - Parameter fields: the line's fields, in a fixed order; they are joined by line feeds, which none can contain.
    init(_ fields: [String]) {
        self.init(hashing: Array(fields.joined(separator: "\n").utf8))
    }

    /// Creates the identifier of bytes that are not a target.
    init(hashing bytes: [UInt8]) {
        value = PinDigest.sha256(of: bytes).bytes.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// Reads 32 hexadecimal digits.
    init?(_ text: String) {
        guard let bytes = Hex.decode(text), bytes.count == 16 else { return nil }
        value = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// 32 lowercase hexadecimal digits.
    var hex: String {
        Hex.encode((0..<16).map { UInt8(truncatingIfNeeded: value >> UInt128(120 - 8 * $0)) })
    }

    package static func < (left: ScanID, right: ScanID) -> Bool { left.value < right.value }
}
