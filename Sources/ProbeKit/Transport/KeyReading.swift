/// A stack's own reading of one certificate's public key, compared with ours (decided: read-twice).
public enum KeyReading: Hashable, Sendable {
    /// The SubjectPublicKeyInfo as the stack encodes the key it would use, DER.
    case spki([UInt8])
    /// The stack could not read the certificate or its key, in its own words.
    case unreadable(String)
    /// The stack gave no answer, which means nothing for the key: its program ended or hung.
    case unanswered(String)
}
