/// The common name a signing certificate has to have: exactly one, or one below a domain.
public enum CommonNameRule: Hashable, Sendable, CustomStringConvertible {
    /// This name, byte for byte.
    case exact(String)
    /// A host name below this domain, which is written with a dot in front.
    ///
    /// Names are compared label by label, ignoring case: `a.rdobeheer.nl` and `a.b.rdobeheer.nl` meet `.rdobeheer.nl`,
    /// but `rdobeheer.nl` and `evilrdobeheer.nl` do not. Every label has to be valid in a host name; the first one may
    /// be `*`.
    case below(String)

    /// Reads a rule: a name, or a domain that begins with a dot.
    ///
    /// - Throws: ``InputError`` if no name could meet it.
    public init(_ text: String) throws(InputError) {
        guard text.hasPrefix(".") else {
            guard !text.isEmpty else { throw Self.refusal(text) }
            self = .exact(text)
            return
        }
        guard let labels = Self.labels(of: text.dropFirst()), !labels.isEmpty, labels[0] != "*" else {
            throw Self.refusal(text)
        }
        self = .below(text)
    }

    /// Returns true if a certificate's common name meets the rule.
    public func isMet(by commonName: String) -> Bool {
        switch self {
        case .exact(let name): return Array(name.utf8) == Array(commonName.utf8)
        case .below(let domain):
            guard let names = Self.labels(of: commonName[...]), let wanted = Self.labels(of: domain.dropFirst()) else {
                return false
            }
            return names.count > wanted.count && names.suffix(wanted.count).elementsEqual(wanted)
        }
    }

    /// The rule as text: a name, or a domain that begins with a dot.
    public var description: String {
        switch self {
        case .exact(let name): name
        case .below(let domain): domain
        }
    }

    /// Returns the labels of a host name in lowercase; nil if it is not a host name.
    private static func labels(of text: Substring) -> [String]? {
        // Checked before they are lowercased: the Kelvin sign would become a k.
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let isHostName = labels.enumerated().allSatisfy { index, label in
            (index == 0 && label == "*") || ((1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isInLabel))
        }
        return isHostName ? labels.map { $0.lowercased() } : nil
    }

    private static func isInLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func refusal(_ text: String) -> InputError {
        InputError(
            "'\(text)' is no common name", remedy: "write a name, or a domain with a dot in front like .example.com")
    }
}
