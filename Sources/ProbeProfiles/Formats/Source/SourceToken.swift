/// The smallest part of source code with a meaning of its own.
struct SourceToken {
    /// A part of a text between quotation marks.
    enum Piece: Equatable {
        case plain(String)
        /// The value of a name, as Kotlin's `$NAME` has it.
        case value(String)
        /// An expression, which is not read.
        case expression
    }

    enum Kind: Equatable {
        case word(String)
        case number(String)
        case text([Piece])
        /// A character between apostrophes.
        case character
        /// An operator or bracket, one byte of it.
        case sign(UInt8)
    }

    let kind: Kind
    let line: Int

    func isSign(_ sign: Unicode.Scalar) -> Bool { kind == .sign(UInt8(ascii: sign)) }

    var word: String? { if case .word(let word) = kind { word } else { nil } }

    /// Returns true if the text begins with a prefix, whatever follows.
    func textBegins(with prefix: String) -> Bool {
        if case .text(let pieces) = kind, case .plain(let plain)? = pieces.first {
            plain.hasPrefix(prefix)
        } else {
            false
        }
    }
}
