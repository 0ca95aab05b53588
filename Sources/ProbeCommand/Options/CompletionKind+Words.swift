import ArgumentParser
import ProbeKit

/// The values that shells complete beside files and folders.
extension CompletionKind {
    /// The words of a closed set of values.
    static func words<Word: RawRepresentable & CaseIterable>(of type: Word.Type) -> CompletionKind
    where Word.RawValue == String {
        .list(type.allCases.map(\.rawValue))
    }

    /// The TLS backends of this build, for an option that takes several; those in other programs have names of their own.
    static var transports: CompletionKind { .list(["all"] + Backends.current.transports.map(\.name)) }

    /// The same for an option that takes one.
    static var transport: CompletionKind { .list(Backends.current.transports.map(\.name)) }

    /// The DNS backends of this build, for an option that takes several.
    static var resolvers: CompletionKind { .list(["all"] + Backends.current.resolvers.map(\.name)) }

    /// The same for an option that takes one.
    static var resolver: CompletionKind { .list(Backends.current.resolvers.map(\.name)) }

    /// The validators of this build, for an option that takes several.
    static var validators: CompletionKind { .list(["all"] + Backends.current.validators.map(\.name)) }
}
