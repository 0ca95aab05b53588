/// The name of a backend's module, taken apart: `TransportFoo` is the transport `foo` by `Foo`.
struct BackendName {
    enum Kind: String, CaseIterable {
        case transport = "Transport"
        case resolver = "Resolver"
    }

    let kind: Kind
    /// The library, like `Foo`.
    let library: String

    /// - Throws: ``NewBackendError`` for a name that is not of this form.
    init(_ text: String) throws {
        guard let kind = Kind.allCases.first(where: { text.hasPrefix($0.rawValue) }) else { throw Self.error(text) }
        let library = text.dropFirst(kind.rawValue.count)
        guard let first = library.first, first.isUppercase, library.count <= 32,
            library.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { throw Self.error(text) }
        self.kind = kind
        self.library = String(library)
    }

    /// The module, like `TransportFoo`.
    var module: String { kind.rawValue + library }
    /// The type, like `FooTransport`.
    var type: String { library + kind.rawValue }
    /// The value of `--backend` or `--resolver`.
    var option: String { library.lowercased() }

    private static func error(_ text: String) -> NewBackendError {
        NewBackendError(
            "'\(text)' is not a backend's name: write TransportFoo or ResolverFoo, in ASCII letters and digits")
    }
}
