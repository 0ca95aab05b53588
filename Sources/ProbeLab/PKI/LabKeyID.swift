/// The identity of a key of a ``LabPKI``: its kind, and a label that distinguishes keys of one kind.
///
/// The same id always means the same key within one PKI; that is how two certificates share a key.
public struct LabKeyID: Hashable, Sendable {
    /// The kind of key.
    public let kind: LabKey.Kind
    /// The label that distinguishes keys of one kind. RSA keys are embedded, so their labels are few: `leaf`, and for
    /// 2048 bits also `renewed` and `authority`.
    public let label: String

    /// Creates the id of a kind and label.
    public init(_ kind: LabKey.Kind, _ label: String) {
        self.kind = kind
        self.label = label
    }

    /// A P-256 key in no certificate of the PKI, for backup pins (requirement 104).
    public static let backup = LabKeyID(.p256, "backup")
}
