/// The name of a security model, as a build contains it; compared ignoring ASCII case.
public struct ModelName: Hashable, Sendable, CustomStringConvertible {
    /// The name in lowercase.
    public let description: String

    /// Reads a name. It is printable ASCII without spaces and commas; no list item could equal any other text.
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String) throws(InputError) {
        let remedy = "write one name as it stands in the TXT record, like florida"
        guard !text.isEmpty else { throw InputError("the model name is empty", remedy: remedy) }
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ",") }) else {
            throw InputError(
                "the model name '\(MasterFileText.escape(text.utf8))' has commas, spaces or letters outside ASCII",
                remedy: remedy)
        }
        description = String(decoding: text.utf8.map(ASCII.lowercased), as: UTF8.self)
    }
}
