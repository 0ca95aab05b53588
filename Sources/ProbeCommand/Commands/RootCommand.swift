import ArgumentParser
import ProbeKit

/// `probe` itself: it only has subcommands, of which `check` is the default.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Would the clients you shipped still accept this server, whichever TLS or DNS stack they use?",
        discussion: """
            EXAMPLES
              probe example.com                              every backend, the system's trust
              probe --backend gnutls example.com:8443        one backend
              probe --pin spki:sha256:BASE64 example.com     and a pin that has to match
              probe pins example.com                         the pins of a server, all kinds
              probe models models.example.com --model dc     is this build's model still allowed?

            EXIT CODES
              0 pass · 10 pin · 11 trust · 12 TLS policy · 13 model not listed
              14 no list · 15 signature · 16 too few of a fleet connect
              17 a policy of your own, or a warning with --fail-on-warning
              20 unreachable or handshake failed
              21 DNS indeterminate · 30 stacks disagree · 31 decoded keys or records
              differ · 40 unsupported, or local overload · 64 usage
              65 bad input file · 70 internal error
            """,
        version: ProbeVersion.current,
        subcommands: [
            CheckCommand.self, CompareCommand.self, SurveyCommand.self, PinsCommand.self, ModelsCommand.self,
            VerifyCommand.self,
            MatchCommand.self, SignatureCommand.self, WatchCommand.self, RootsCommand.self, ClientsCommand.self,
            FleetCommand.self, ScanCommand.self,
            ProfileCommand.self, CacheCommand.self,
            BackendsCommand.self, LabCommand.self, ConformanceCommand.self, BenchCommand.self,
        ] + serving,
        defaultSubcommand: CheckCommand.self)

    /// The exporter, where it is built in.
    private static var serving: [any ParsableCommand.Type] {
        #if Serve
            [ServeCommand.self]
        #else
            []
        #endif
    }

    /// Returns the root that reads a command line.
    ///
    /// The argument parser always collects the options of a root's default command first, which has the most: a third
    /// of a start. If a subcommand is named, or the version is asked for alone, the root has no default.
    static func type(for arguments: [String]) -> any ParsableCommand.Type {
        let names = configuration.subcommands.map { $0._commandName } + ["--version"]
        return arguments.first.map(names.contains) == true ? RootOfNamedCommand.self : RootCommand.self
    }

    /// Refuses a first word that is nearly the name of a command, or that of a command of a group, before it is probed
    /// as a host.
    static func refuseNearMiss(in arguments: [String]) throws(InputError) {
        guard let word = arguments.first, word != "help", word.utf8.allSatisfy(isLetterOrHyphen), !word.hasPrefix("-")
        else { return }
        let names = configuration.subcommands.map { $0._commandName }
        guard !names.contains(word) else { return }
        try refuseNested(word, in: arguments)
        guard let hint = NearestWord.question(for: word, among: names, within: word.count < 6 ? 1 : 2) else { return }
        throw InputError(
            "'\(word)' is not a command",
            remedy: "\(hint) for a host of that name write 'probe check \(word)'")
    }

    /// Refuses options before the name of a command: without one they are those of `check`, and the name would be a host.
    static func refuseOptionsBefore(_ command: any ParsableCommand, in arguments: [String]) throws(InputError) {
        guard arguments.first?.hasPrefix("-") == true, !arguments.contains("--"),
            let target = (command as? CheckCommand)?.check.targets.first,
            configuration.subcommands.contains(where: { $0._commandName == target })
        else { return }
        throw InputError(
            "'\(target)' is a command, and options come after it",
            remedy: "write 'probe \(target)' and then the options; for a host of that name 'probe check'")
    }

    /// Refuses the name of a command of a group with something after it, like `lint app.yaml`; alone it may be a host.
    private static func refuseNested(_ word: String, in arguments: [String]) throws(InputError) {
        let groups = configuration.subcommands.filter { group in
            group.configuration.subcommands.contains { $0._commandName == word }
        }
        guard arguments.count > 1, !groups.isEmpty else { return }
        let commands = groups.map { "'probe \($0._commandName) \(word)'" }
        throw InputError(
            "'\(word)' is a command of \(groups.map { $0._commandName }.joined(separator: " and "))",
            remedy: "write \(Words.alternatives(commands)); for a host of that name 'probe check \(word)'")
    }

    /// Refuses a word with one hyphen: the argument parser reads it as letters, and an h among them as the wish for help, which
    /// ends with 0 and checks nothing.
    static func refuseSingleHyphen(in arguments: [String]) throws(InputError) {
        let words = arguments.prefix { $0 != "--" }
        for (before, word) in zip([""] + words, words) where word.hasPrefix("-") && !word.hasPrefix("--") {
            let letters = word.dropFirst()
            // -h, -o FILE, -o=FILE, numbers below zero, and standard input as a certificate to expect.
            let isNumber =
                letters.allSatisfy { $0.isWholeNumber || $0 == "." } || NegativeNumbers.joins(word, to: before)
            guard letters.count > 1, !letters.hasPrefix("o="), !isNumber, before != "--expect-certificate" else {
                continue
            }
            throw InputError(
                "'\(PrintableText.escape(word))' begins with one hyphen",
                remedy: "an option has two, and a name that begins with one comes after --")
        }
    }

    /// Refuses the help on what is not a command: the argument parser would show that of the nearest one it knows.
    static func refuseUnknownHelp(in arguments: [String]) throws(InputError) {
        guard arguments.first == "help" else { return }
        var command: any ParsableCommand.Type = RootCommand.self
        for word in arguments.dropFirst() where !word.hasPrefix("-") {
            let known = command.configuration.subcommands
            guard let next = known.first(where: { $0._commandName == word }) else {
                let names = known.map { $0._commandName }
                let hint = NearestWord.hint(for: word, among: names)
                throw InputError(
                    "'\(PrintableText.escape(word))' is not a command",
                    remedy: names.isEmpty ? "leave it out" : "\(hint)choose from \(names.joined(separator: ", "))")
            }
            command = next
        }
    }

    /// Refuses `-` for two files: the first that is read would leave nothing for the other.
    static func refuseInputTwice(in arguments: [String]) throws(InputError) {
        let named = arguments.indices.filter { index in
            let (argument, before) = (arguments[index], index > 0 ? arguments[index - 1] : "")
            guard !["--output", "-o"].contains(before) else { return false }
            // A certificate to expect has a position behind its file.
            let expected = "--expect-certificate"
            if argument.hasPrefix("\(expected)=-@") || before == expected && argument.hasPrefix("-@") { return true }
            // A chain has a host or a service before its file.
            if before == "--chain", argument.hasSuffix("=-") { return true }
            return argument == "-" || argument.hasPrefix("--") && argument.hasSuffix("=-") && argument != "--output=-"
        }
        guard named.count > 1 else { return }
        throw InputError(
            "- is given \(named.count) times, and standard input can be read once", remedy: "name files for the others")
    }

    private static func isLetterOrHyphen(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

/// `probe` with the name of a subcommand after it.
struct RootOfNamedCommand: AsyncParsableCommand {
    static let configuration = {
        var configuration = RootCommand.configuration
        configuration.defaultSubcommand = nil
        return configuration
    }()
}
