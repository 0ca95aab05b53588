public import ProbeKit
import ProbeRun

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
    /// The fault of the line.
    public let error: InputError
    /// The identity of its bytes.
    public let id: ScanID

    /// Creates the answer to a line.
    ///
    /// - Parameters:
    ///   - line: its number, from 1 on.
    ///   - bytes: its content, without the line break.
    package init(line: Int, bytes: [UInt8], error: InputError) {
        self.line = line
        text = TokenURI.redacting(PrintableText.escape(String(decoding: bytes.prefix(200), as: UTF8.self)))
        self.error = error
        id = ScanID(hashing: bytes)
    }
}
