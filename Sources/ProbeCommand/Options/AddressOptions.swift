import ArgumentParser
import ProbeKit
import ProbeRun

/// The addresses of a name that are dialled.
struct AddressOptions: ParsableArguments {
    @Flag(help: "Judge every address of a name by itself, and not the first that answers.")
    var allAddresses = false

    @Option(
        help: ArgumentHelp(
            "Dial only addresses of this family: 4, 6, or both, which judges each by itself.",
            discussion: """
                Without it the family that connects first is dialled (RFC 8305). A name without an address of the family is \
                unreachable.
                """, valueName: "family"))
    var family: Given<FamilyChoice>?

    /// Those of these options that were given.
    var given: [String] {
        [("--all-addresses", allAddresses), ("--family", family != nil)].filter(\.1).map(\.0)
    }

    /// Returns the choice.
    ///
    /// - Throws: ``InputError`` if the options say at once which address is dialled.
    func choice(_ connection: ConnectionOptions) throws(InputError) -> AddressChoice {
        if let option = given.first {
            if connection.socket != nil {
                throw InputError(
                    "\(option) and --connect unix: are given, and a socket has no addresses",
                    remedy: "leave one of the two out")
            }
            if case .ip = connection.dial?.host {
                throw InputError(
                    "\(option) and --connect are given, and --connect names the one address to dial",
                    remedy: "leave one of the two out, or give --connect NAME:PORT")
            }
        }
        return AddressChoice(isEach: allAddresses, family: family?.value, lookup: Backends.current.lookup)
    }
}

/// The value of `--family`.
enum FamilyChoice: String, OptionValue, CaseIterable {
    case ipv4 = "4"
    case ipv6 = "6"
    case both

    /// The families, each with a verdict.
    var families: [AddressFamily] {
        switch self {
        case .ipv4: [.ipv4]
        case .ipv6: [.ipv6]
        case .both: AddressFamily.allCases
        }
    }
}
