/// The rule by which the character-strings of one TXT record become text.
public enum TXTStrings: String, Hashable, Sendable, Codable, CaseIterable {
    /// They are joined without a separator, as SPF does (RFC 7208 section 3.3).
    case joined
    /// Each string is a list of its own, as the shipped app of requirement 17 reads them: an empty string ends the
    /// record, and a string that is not UTF-8 is skipped. The app looks at one record of several, whichever comes
    /// first, so a model has to be in each of them.
    case separate
}
