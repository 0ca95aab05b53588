extension InputError {
    /// The refusal of a host, an endpoint or a target with an `@`. It quotes nothing: a password may stand before that.
    package static let carriesCredentials = InputError(
        "a target carries credentials", remedy: "leave out what is before its '@'")

    /// Rejects a text with an `@`, which neither a host nor an endpoint has.
    ///
    /// - Throws: ``InputError`` without any of the text.
    package static func refuseCredentials(in text: String) throws(InputError) {
        guard !text.utf8.contains(UInt8(ascii: "@")) else { throw carriesCredentials }
    }
}
