/// A piece of an input that holds whole certificates only, and the place where it begins.
struct InputBlock: Sendable {
    let input: String
    let form: InputForm
    let bytes: [UInt8]
    /// The number of its first line, from 1.
    let line: Int
    /// The offset of its first byte.
    let offset: Int
    /// The number of the line after it.
    let nextLine: Int
    /// True if a folder has the input, in which anything may stand beside certificates.
    var isOfFolder = false
    /// True if nothing but white space is between a block of PEM in the piece before and this one.
    var isAfterBlock = false
}
