public import ProbeKit

/// The URI of an object in a PKCS #11 token (RFC 7512), with its module and the file of its PIN taken out.
public struct TokenURI: Hashable, Sendable {
    /// Whose words a URI is, and so which of its attributes are followed.
    public enum Origin: Sendable {
        /// The command line, or the configuration of a service.
        case operatorsOwn
        /// A profile or a list, which anybody may have written: it names no module, since loading one runs its code.
        case file
    }

    /// The attributes of the path by name, percent-encoded as given, in their order.
    private let path: [Attribute]
    /// The path of the module to load; nil takes those that the system is configured for.
    public let module: String?
    /// The path of the file with the PIN; nil if the URI names none.
    public let pinFile: String?

    private struct Attribute: Hashable {
        let name: String
        let value: String
    }

    private static let names: Set<String> = [
        "token", "manufacturer", "serial", "model", "library-manufacturer", "library-version", "library-description",
        "object", "type", "id", "slot-id", "slot-manufacturer", "slot-description",
    ]

    /// Returns true if the text is meant as a URI of this kind, and not as a path.
    public static func isMeant(by text: String) -> Bool { text.prefix(7).lowercased() == "pkcs11:" }

    /// Reads a URI.
    ///
    /// - Throws: ``InputError`` naming the attribute at fault; no value is quoted, since one may be a PIN.
    public init(_ text: String, from origin: Origin) throws(InputError) {
        let parts = text.dropFirst(7).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = try Self.attributes(parts.first ?? "", separator: ";")
        let query = try Self.attributes(parts.count > 1 ? parts[1] : "", separator: "&")
        if (path + query).contains(where: { $0.name == "pin-value" }) {
            throw InputError(
                "a PKCS #11 URI with 'pin-value' shows the PIN to everybody who sees it",
                remedy: "write the PIN to a file of mode 600 and name that with pin-source=file:/PATH")
        }
        for attribute in path where !Self.names.contains(attribute.name) && !attribute.name.hasPrefix("x-") {
            throw Self.unknown(attribute, among: Self.names)
        }
        for attribute in query where !["pin-source", "module-path"].contains(attribute.name) {
            throw Self.unknown(attribute, among: ["pin-source", "module-path"])
        }
        guard path.contains(where: { $0.name == "object" || $0.name == "id" }) else {
            throw InputError(
                "the PKCS #11 URI names no object of a token",
                remedy: "add object=LABEL or id=%HH, as p11tool lists them")
        }
        self.path = path
        module = try query.first { $0.name == "module-path" }.map { attribute throws(InputError) in
            guard origin == .operatorsOwn else {
                throw InputError(
                    "'module-path' names a program to load, which a file of targets or pins may not",
                    remedy: "leave it out and configure the module in p11-kit, or give the URI on the command line")
            }
            return try Self.absolutePath(attribute, Self.decoded(attribute))
        }
        pinFile = try query.first { $0.name == "pin-source" }.map { attribute throws(InputError) in
            let place = try Self.decoded(attribute)
            return try Self.absolutePath(attribute, place.hasPrefix("file:") ? Self.path(ofFile: place) : place)
        }
    }

    /// Returns the URI for an object of one type, without module and PIN.
    ///
    /// - Parameter type: `private` or `cert`, in place of a type that the URI lacks.
    /// - Throws: ``InputError`` if the URI is for another type.
    public func text(type: String) throws(InputError) -> String {
        if let given = path.first(where: { $0.name == "type" }), given.value != type {
            throw InputError("the PKCS #11 URI \(self) is not of type=\(type)", remedy: "leave the type out")
        }
        return replacingType(with: type)
    }

    /// Returns the URI of the same object's counterpart of another type.
    func replacingType(with type: String) -> String {
        "pkcs11:"
            + (path.filter { $0.name != "type" } + [Attribute(name: "type", value: type)])
            .map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    }

    // MARK: The parts

    private static func attributes(_ text: Substring, separator: Character) throws(InputError) -> [Attribute] {
        guard !text.isEmpty else { return [] }
        var found: [Attribute] = []
        for part in text.split(separator: separator, omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: "="), equals != part.startIndex else {
                throw InputError(
                    "a part of the PKCS #11 URI is not NAME=VALUE",
                    remedy: "write pkcs11:token=LABEL;object=LABEL, and %3B for a ';' in a label")
            }
            let attribute = Attribute(
                name: String(part[..<equals]), value: String(part[part.index(after: equals)...]))
            guard !found.contains(where: { $0.name == attribute.name }) else {
                throw InputError(
                    "the PKCS #11 URI has '\(PrintableText.escape(attribute.name))' twice", remedy: "keep one of them")
            }
            try checkEncoding(attribute)
            found.append(attribute)
        }
        return found
    }

    /// Rejects what a URI can't contain as it is.
    private static func checkEncoding(_ attribute: Attribute) throws(InputError) {
        let bytes = Array(attribute.value.utf8)
        let isEncoded = bytes.indices.allSatisfy { index in
            guard bytes[index] == UInt8(ascii: "%") else { return bytes[index] > 0x20 && bytes[index] < 0x7f }
            return index + 2 < bytes.count
                && Hex.decode(String(decoding: bytes[index + 1...index + 2], as: UTF8.self)) != nil
        }
        guard isEncoded else {
            throw InputError(
                "'\(PrintableText.escape(attribute.name))' of the PKCS #11 URI is not percent-encoded",
                remedy: "write a space as %20, a percent sign as %25, and bytes outside ASCII as %HH")
        }
    }

    private static func decoded(_ attribute: Attribute) throws(InputError) -> String {
        var bytes: [UInt8] = []
        var rest = attribute.value.utf8[...]
        while let byte = rest.popFirst() {
            let isEncoded = byte == UInt8(ascii: "%")
            bytes.append(isEncoded ? Hex.decode(String(decoding: rest.prefix(2), as: UTF8.self))?.first ?? 0 : byte)
            if isEncoded { rest = rest.dropFirst(2) }
        }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw InputError(
                "'\(attribute.name)' of the PKCS #11 URI is not a path", remedy: "write its bytes in UTF-8, as %HH")
        }
        return text
    }

    /// Returns the path of a URI `file:/PATH` or `file:///PATH`.
    private static func path(ofFile text: String) -> String {
        let rest = text.dropFirst(5)
        return String(rest.hasPrefix("//") ? rest.dropFirst(2) : rest)
    }

    private static func absolutePath(_ attribute: Attribute, _ path: String) throws(InputError) -> String {
        guard path.hasPrefix("/") else {
            throw InputError(
                "'\(attribute.name)' of the PKCS #11 URI is not the path of a file",
                remedy:
                    "write it from the root: \(attribute.name)=\(attribute.name == "pin-source" ? "file:" : "")/PATH")
        }
        return path
    }

    private static func unknown(_ attribute: Attribute, among names: Set<String>) -> InputError {
        InputError(
            "a PKCS #11 URI has no '\(PrintableText.escape(attribute.name))' there",
            remedy: NearestWord.question(for: attribute.name, among: names.sorted())
                ?? "choose among \(names.sorted().joined(separator: ", "))")
    }
}

extension TokenURI: CustomStringConvertible {
    /// The URI without module and PIN.
    public var description: String {
        "pkcs11:" + path.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
    }

    /// Returns a text in which the PIN of a URI, if it has one, can't be read.
    public static func redacting(_ text: String) -> String {
        text.replacing(#/(?i)(pin-value(?:=|%3d))[^&"\s]*/#) { "\($0.1)…" }
    }
}
