public import ProbeKit

/// The result of reading a file of some format.
public struct Imported: Hashable, Sendable {
    /// The file's content.
    public var profile: Profile
    /// Notes on things that it lacks, or that mean something else than they seem to.
    public var notes: [FormatNote]
    /// The complete certificates and keys in it.
    public var material: PinMaterial

    /// Creates a result.
    public init(profile: Profile, notes: [FormatNote] = [], material: PinMaterial = PinMaterial()) {
        self.profile = profile
        self.notes = notes
        self.material = material
    }
}

/// A format reader's note: something it skipped, or something that means something else than it seems to.
public struct FormatNote: Hashable, Sendable, Encodable, CustomStringConvertible {
    /// The severity of a note.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// Something in the file was not read, or does not work where the file is used.
        case warning
        /// Worth knowing.
        case note
    }

    /// A stable name in kebab case.
    public let code: String
    /// The note's severity.
    public let severity: Severity
    /// A sentence that names the place.
    public let message: String

    /// The servers that a note is about.
    enum Subject: Hashable, Sendable {
        /// One server.
        case server(Target)
        /// The hosts for which these anchors of an Android app are in force.
        case anchored(AndroidAnchors, AndroidAnchorReach)
    }

    /// The servers that it is about; nil for all.
    private let subject: Subject?
    /// The change that it asks for; nil for one of the file, unless that means what it has.
    let fix: Fix?

    /// The fix of a note on what the reader does, and no file can change.
    static let nothingToDo: Fix = "nothing to do"

    private enum CodingKeys: String, CodingKey { case code, severity, message }

    static func warning(
        _ code: String, _ message: String, about subject: Subject? = nil, fix: Fix? = nil
    ) -> FormatNote {
        FormatNote(code: code, severity: .warning, message: shown(message), subject: subject, fix: fix)
    }

    static func note(
        _ code: String, _ message: String, about subject: Subject? = nil, fix: Fix? = nil
    ) -> FormatNote {
        FormatNote(code: code, severity: .note, message: shown(message), subject: subject, fix: fix)
    }

    private static func shown(_ message: String) -> String {
        PrintableText.escape(InputError.withoutPasswords(message))
    }

    /// Returns true if the note is about a check of this target.
    package func concerns(_ target: Target) -> Bool {
        switch subject {
        case .server(let server): server.name == target.name && server.port == target.port
        case .anchored(let anchors, let reach): reach.anchors(for: target.name) == anchors
        case nil: true
        }
    }

    /// True if anchors of the caller settle it: where an app trusts no CA, none do.
    package var asksForAnchors: Bool { code == AndroidAnchors.code && fix != nil }

    /// The finding that every check has which the note concerns; nil if its verdict rests on nothing that is in doubt.
    public var announcement: Finding? {
        switch code {
        // No warning: a list that lies beside the program may be trusted as it is.
        case WultraFormat.unchecked:
            .note(
                "signatures-not-checked", stage: .pins,
                "the pins are from a signed list whose signatures were not checked",
                fix: WultraFormat.giveKey)
        case TLSASetReader.leftOut:
            .warning(
                "tlsa-sha512-not-judged", stage: .pins,
                "records of SHA-512 are left out, and clients that know it look at no others (RFC 7671 section 9)",
                fix: TLSASetReader.publishBoth)
        case TLSASetReader.privateAnchor:
            .note(
                "tlsa-anchor-may-be-unsent", stage: .pins,
                "usage 2 asks for a CA that the server sends (RFC 7671 section 5.2); here it counts on the verified path, sent or not"
            )
        case AndroidAnchors.code where asksForAnchors && severity == .warning:
            .warning(
                "trust-anchors-not-judged", stage: .trust,
                "the app does not trust the system's CAs for this host, and this verdict is by them",
                fix: AndroidAnchors.fix)
        case AndroidAnchors.code where severity == .warning:
            .warning(
                "trust-anchors-not-judged", stage: .trust,
                "the app trusts no CA for this host, and refuses every chain", fix: AndroidAnchors.addSource)
        case HPKPFormat.backupMissing where severity == .warning:
            .warning(
                "header-not-noted", stage: .pins,
                "the header has one pin: browsers want a backup beside it, and pin nothing without (RFC 7469 section 2.5)",
                fix: HPKPFormat.addBackup)
        default: nil
        }
    }

    /// `warning: message` or `note: message`.
    public var description: String { "\(severity.rawValue): \(message)" }
}
