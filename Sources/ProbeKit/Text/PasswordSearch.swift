/// The search for a user and a password in a word of a message, which may as well be a path, a pin or a line of source code.
///
/// In doubt a word has them. Scalars are compared, for an `@` with a combining mark after it is another `Character`.
struct PasswordSearch {
    private let text: Substring.UnicodeScalarView

    init(_ word: Substring) { text = word.unicodeScalars }

    private static let separator = Array("://".unicodeScalars)

    /// The range to hide, which ends before an `@`; nil if there is nothing.
    var range: Range<Substring.Index>? {
        guard let last = text.lastIndex(of: "@") else { return nil }
        let scheme = text.prefix(while: Self.isInScheme)
        let isURL = text[scheme.endIndex...].starts(with: Self.separator)
        let start = isURL ? text.index(scheme.endIndex, offsetBy: Self.separator.count) : text.startIndex
        if hasCredentialsInURL { return start < last ? start..<last : nil }
        guard isURL || isPath else { return userAndPassword(from: text.startIndex) }
        // A list may go on behind them.
        guard let comma = text[start...].firstIndex(of: ",") else { return nil }
        return userAndPassword(from: text.index(after: comma))
    }

    /// True if the authority of a URL has an `@`, or does not look like a host and a port: a user and a password may have a
    /// slash.
    private var hasCredentialsInURL: Bool {
        text.ranges(of: Self.separator).contains { separator in
            let rest = text[separator.upperBound...]
            let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if authority.contains("@") { return true }
            guard let first = authority.first, first != "[" else { return false }
            let host = authority.prefix { $0 != ":" }
            guard host.contains(".") || host.elementsEqual(Self.localhost) else {
                return rest[..<(rest.lastIndex(of: "@") ?? rest.startIndex)].contains(":")
            }
            let port = authority[host.endIndex...]
            return port.first != nil && (port.count == 1 || !port.dropFirst().allSatisfy(Self.isDigit))
        }
    }

    private static let localhost = Array("localhost".unicodeScalars)

    private static func isInScheme(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || isDigit(scalar) || "+.-".unicodeScalars.contains(scalar)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static let pathBeginnings = ["/", "./", "../", "pkcs11:", "unix:"]

    /// True for a path, and for the URI of a token.
    private var isPath: Bool {
        let beginning = Substring(text.prefix(7)).lowercased()
        guard !beginning.hasPrefix("//") else { return false }
        return Self.pathBeginnings.contains { beginning.hasPrefix($0) }
            || (beginning.first?.isLetter == true && beginning.dropFirst().hasPrefix(":\\"))
    }

    /// Returns the range of `user:password` before the last `@` that a host may follow.
    private func userAndPassword(from start: Substring.Index) -> Range<Substring.Index>? {
        let rest = text[start...]
        guard let end = rest.indices.last(where: { rest[$0] == "@" && mayPrecedeHost($0) }),
            rest[..<end].dropLast().contains(":")
        else { return nil }
        return start..<end
    }

    /// The commands in OpenSSL's lists of ciphers.
    private static let cipherCommands = ["SECLEVEL=", "STRENGTH"].map { Array($0.unicodeScalars) }

    /// Returns false for an `@` of Objective-C, of a list of ciphers, and of a pin's position.
    private func mayPrecedeHost(_ at: Substring.Index) -> Bool {
        let (before, after) = (text[..<at], text[at...].dropFirst())
        switch before.last {
        case nil, ":"?, ","?, "("?, "["?, "{"?: break
        default: return !endsWithPinKind(before)
        }
        switch after.first {
        case "{"?, "("?, "\""?: return false
        // Those of an IPv6 address are before its digits.
        case "["?: return after.dropFirst().first.map { $0 == ":" || $0.properties.isASCIIHexDigit } ?? false
        default: return !(before.last == ":" && Self.cipherCommands.contains { after.starts(with: $0) })
        }
    }

    /// The kinds that a pin begins with, as ``PinKind`` has them.
    private static let pinKinds = ["cert", "spki", "rawkey"].map { Array($0.unicodeScalars) }

    /// Returns true if the last of a list of pins has only its kind.
    private func endsWithPinKind(_ before: Substring.UnicodeScalarView) -> Bool {
        let separator = before.lastIndex { $0 == ";" || $0 == "," }
        let last = separator.map { before[before.index(after: $0)...] } ?? before
        return Self.pinKinds.contains { last.elementsEqual($0) }
            && Self.pinKinds.contains { before.starts(with: $0) }
    }
}
