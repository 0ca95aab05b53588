import ProbeKit

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
        text = PrintableText.escape(String(decoding: bytes.prefix(200), as: UTF8.self))
        self.error = error
        id = ScanID(hashing: bytes)
    }
}
