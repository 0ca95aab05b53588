/// A party that may sign: the certificate that its chain ends in, and further constraints (requirement 93).
///
/// A constraint that is nil is not checked. Those on the common name and the authority key identifier are about the signing
/// certificate, those on the subject key identifier and the serial number about the certificate its chain ends in, as in the
/// seed (requirement 94).
public struct TrustedSigner: Hashable, Sendable {
    /// The name for reports.
    public let name: String
    /// The certificates a chain may end in: CAs, or the signing certificate itself. Nothing else is ever trusted for
    /// this signer, in particular not the system's anchors.
    public let anchors: TrustAnchors
    /// The common name the signing certificate has to have.
    public let commonName: TrustedSigner.CommonNameRule?
    /// The authority key identifier the signing certificate has to have.
    public let authorityKeyIdentifier: TrustedSigner.KeyIdentifier?
    /// The subject key identifier that the certificate at the chain's end has to have.
    public let subjectKeyIdentifier: TrustedSigner.KeyIdentifier?
    /// The serial number that the certificate at the chain's end has to have.
    public let rootSerial: TrustedSigner.SerialNumber?

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - name: the name for reports.
    ///   - certificates: the possible ends of a chain, DER; unreadable ones are skipped.
    ///   - commonName: of the signing certificate.
    ///   - authorityKeyIdentifier: of the signing certificate.
    ///   - subjectKeyIdentifier: of the certificate at the chain's end.
    ///   - rootSerial: of the certificate at the chain's end.
    public init(
        name: String, certificates: [[UInt8]], commonName: TrustedSigner.CommonNameRule? = nil,
        authorityKeyIdentifier: TrustedSigner.KeyIdentifier? = nil,
        subjectKeyIdentifier: TrustedSigner.KeyIdentifier? = nil,
        rootSerial: TrustedSigner.SerialNumber? = nil
    ) {
        self.name = name
        anchors = TrustAnchors(name: name, certificates: certificates)
        self.commonName = commonName
        self.authorityKeyIdentifier = authorityKeyIdentifier
        self.subjectKeyIdentifier = subjectKeyIdentifier
        self.rootSerial = rootSerial
    }
}

extension TrustedSigner {
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
                guard let names = Self.labels(of: commonName[...]), let wanted = Self.labels(of: domain.dropFirst())
                else {
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
                (index == 0 && label == "*")
                    || ((1...63).contains(label.utf8.count) && label.utf8.allSatisfy(isInLabel))
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
                "'\(text)' is not a common name",
                remedy: "write a name, or a domain with a dot in front like .example.com")
        }
    }
}

extension TrustedSigner {
    /// The identifier of a key in a certificate (RFC 5280 sections 4.2.1.1 and 4.2.1.2).
    public struct KeyIdentifier: Hashable, Sendable, CustomStringConvertible {
        /// The identifier's bytes, without a DER header.
        public let bytes: [UInt8]

        /// Creates an identifier, with or without its DER header: `04 14` in front of 20 bytes is removed (requirement 94).
        /// Nothing else is taken off, so an identifier of another length is given bare.
        public init(_ bytes: some Collection<UInt8>) {
            let isHeaded = bytes.count == 22 && bytes.starts(with: [0x04, 0x14])
            self.bytes = Array(isHeaded ? bytes.dropFirst(2) : bytes.dropFirst(0))
        }

        /// Reads an identifier in hexadecimal, in either case; colons and blanks between bytes are skipped.
        ///
        /// - Throws: ``InputError`` naming the text.
        public init(hex text: String) throws(InputError) {
            guard let bytes = Hex.decode(text.filter { $0 != ":" && $0 != " " }), !bytes.isEmpty else {
                throw InputError(
                    "'\(text)' is not a key identifier",
                    remedy: "write its bytes in hexadecimal, with or without 0414 in front")
            }
            self.init(bytes)
        }

        /// Lowercase hexadecimal.
        public var description: String { Hex.encode(bytes) }
    }
}

extension TrustedSigner {
    /// A certificate's serial number (RFC 5280 section 4.1.2.2), written in decimal.
    public struct SerialNumber: Hashable, Sendable, CustomStringConvertible {
        /// Big-endian, without zeros in front; empty for zero.
        public let bytes: [UInt8]

        /// The maximum number of decimal digits read; the 20 bytes of a serial number need 49.
        private static let maximumDigits = 100

        /// Creates a number of big-endian bytes.
        public init(_ bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes.drop { $0 == 0 })
        }

        /// Reads a number in decimal digits.
        ///
        /// - Throws: ``InputError`` naming the text.
        public init(decimal text: String) throws(InputError) {
            let digits = text.utf8.map { Int($0) - Int(UInt8(ascii: "0")) }
            guard (1...Self.maximumDigits).contains(digits.count), digits.allSatisfy({ (0...9).contains($0) }) else {
                throw InputError(
                    "'\(InputError.quoting(text, limit: 120))' is not a serial number",
                    remedy: "write it in decimal digits")
            }
            var bytes: [UInt8] = []
            for digit in digits {
                var carry = digit
                for index in bytes.indices.reversed() {
                    carry += Int(bytes[index]) * 10
                    bytes[index] = UInt8(truncatingIfNeeded: carry)
                    carry >>= 8
                }
                if carry > 0 { bytes.insert(UInt8(truncatingIfNeeded: carry), at: 0) }
            }
            self.init(bytes)
        }

        /// Decimal digits.
        public var description: String {
            var digits: [String] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                var remainder = 0
                rest =
                    rest.map { byte in
                        remainder = remainder << 8 | Int(byte)
                        defer { remainder %= 10 }
                        return UInt8(truncatingIfNeeded: remainder / 10)
                    }.drop { $0 == 0 }
                digits.append("\(remainder)")
            }
            return digits.isEmpty ? "0" : digits.reversed().joined()
        }
    }
}
