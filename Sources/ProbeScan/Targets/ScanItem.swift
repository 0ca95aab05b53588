public import ProbeKit

/// The next item of a list.
public enum ScanItem: Sendable {
    /// A target to probe.
    case target(ScanTarget)
    /// A line that names none, which is answered in its place.
    case malformed(MalformedTarget)

    /// The identity of the target, or of the line's bytes.
    public var id: ScanID {
        switch self {
        case .target(let target): target.id
        case .malformed(let line): line.id
        }
    }
}

/// A line that names no target, with the reason.
public struct MalformedTarget: Sendable {
    /// Its number in its file, from 1 on.
    public let line: Int
    /// The part of it that is worth showing, without passwords and control characters.
    public let text: String
    /// The fault of the line; it quotes no password either.
    public let error: InputError
    /// The identity of its bytes.
    public let id: ScanID

    /// Creates the answer to a line.
    ///
    /// - Parameters:
    ///   - line: its number, from 1 on.
    ///   - bytes: its content, without the line break.
    package init(line: Int, bytes: [UInt8], error: InputError) {
        // All of it is looked through: the mark behind a password may be far down.
        let secrets = LineSecrets(String(decoding: bytes, as: UTF8.self))
        self.line = line
        text = PrintableText.escape(String(decoding: secrets.shown.utf8.prefix(200), as: UTF8.self))
        self.error = secrets.hiding(error)
        id = ScanID(hashing: bytes)
    }
}
