import ArgumentParser
public import ProbeBench
public import ProbeKit
import ProbeNet
import ProbePlatform
import ProbeReport
import ProbeRun

/// The command line as a library: a program with backends of its own calls
/// ``main(arguments:transports:resolvers:digesters:validators:identities:tokens:policies:bench:)`` and
/// is a `probe` that has them.
public enum ProbeCommand: Sendable {
    /// Runs the command that the arguments name and ends the process with its code, without what `atexit` registered.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name.
    ///   - transports: the TLS backends of this build, by distinct names.
    ///   - resolvers: the DNS backends of this build, by distinct names.
    ///   - digesters: the SHA-256 implementations of this build, by distinct names.
    ///   - validators: the signature validators of this build, by distinct names.
    ///   - identities: reads the files of client certificates and their keys.
    ///   - tokens: opens client certificates whose key is in a PKCS #11 token.
    ///   - policies: the policies that `--policy` and profiles can name beside those of ProbeKit.
    ///   - bench: what `probe bench` measures with.
    ///
    /// The backends are made when standard descriptors that were closed are filled: a library's socket would get their numbers.
    public static func main(
        arguments: [String] = Array(CommandLine.arguments.dropFirst()),
        transports: @autoclosure () throws -> [any Transport], resolvers: @autoclosure () throws -> [any Resolver],
        digesters: [any Digester], validators: [any SignatureValidator] = [],
        identities: (any ClientIdentity.Reader)? = nil, tokens: (any ClientIdentity.TokenReader)? = nil,
        policies: [String: any Policy] = [:], bench: BenchKit = BenchKit()
    ) async -> Never {
        Terminal.keepStandardDescriptors()
        // A reader that went away ends us at the next write, quietly and without the code of a verdict.
        _ = signal(SIGPIPE, SIG_IGN)
        StandardErrorLog.bootstrap()
        if let refusal = ArgumentBytes.refusal { exit(Terminal.report(refusal)) }
        let option = "--system-settings"
        if arguments.contains(option) != SystemSettings.areAsked {
            guard !SystemSettings.areAsked else { exit(Terminal.report(hiddenSettings(option))) }
            Terminal.printError("probe: \(option) can't run the program again: \(SystemSettings.restart())")
            exit(Outcome.internalError.exitCode)
        }
        let backends: Backends
        do {
            if let shortage = DescriptorLimit.shortage {
                Terminal.printError("probe: \(shortage)")
                exit(Outcome.internalError.exitCode)
            }
            backends = try Backends(
                transports: try transports(), resolvers: try resolvers(), digesters: digesters, validators: validators,
                identities: identities, tokens: tokens, policies: try NamedPolicies.all.adding(policies), bench: bench)
        } catch let error as InputError {
            exit(Terminal.report(error))
        } catch {
            Terminal.printError("probe: a library can't be set up: \(error)")
            exit(Outcome.internalError.exitCode)
        }
        Departure.afterAll(await run(arguments, backends: backends))
    }

    /// Returns the error for settings that the environment alone asks for. The libraries have seen them by now, and a result
    /// depends on the options alone.
    private static func hiddenSettings(_ option: String) -> InputError {
        InputError(
            "\(SystemSettings.variable) is set in the environment, and \(option) is not given",
            remedy: "unset \(SystemSettings.variable), or give \(option) to a command that takes it")
    }

    /// Returns the command that the arguments ask for, ready to run.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        try RootCommand.refuseSingleHyphen(in: arguments)
        try RootCommand.refuseUnknownHelp(in: arguments)
        try RootCommand.refuseInputTwice(in: arguments)
        try RootCommand.refuseNearMiss(in: arguments)
        let command = try RootCommand.type(for: arguments).parseAsRoot(NegativeNumbers.joined(arguments))
        try RootCommand.refuseOptionsBefore(command, in: arguments)
        try RepeatedOptions(arguments).refuse(in: type(of: command))
        return command
    }

    private static func execute(_ command: sending any ParsableCommand) async throws {
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            var command = command
            try command.run()
        }
    }

    /// Runs one command line and returns its exit code. Fixes name the command's options.
    static func run(_ arguments: [String], backends: Backends) async -> Int32 {
        await Fix.Step.$words.withValue(FixWords.words(for: arguments)) {
            await OptionFault.collecting { await attempt(arguments, backends: backends) }
        }
    }

    private static func attempt(_ arguments: [String], backends: Backends) async -> Int32 {
        await Backends.$current.withValue(backends) {
            do {
                let command = try parse(arguments)
                guard let selection = (command as? any SelectsBackends)?.selection else {
                    try await execute(command)
                    return 0
                }
                let loaded = try await selection.loading(into: backends)
                guard !loaded.isEmpty else {
                    try await execute(command)
                    return 0
                }
                do {
                    // Backends have to be there before the command that asks for them.
                    try await Backends.$current.withValue(loaded.all) { try await execute(parse(arguments)) }
                } catch {
                    await loaded.stop()
                    throw error
                }
                await loaded.stop()
                return 0
            } catch let error as InputError {
                return Terminal.report(error)
            } catch let code as ExitCode {
                return code.rawValue
            } catch {
                if let refusal = OptionFault.refusal(of: error) { return Terminal.report(refusal) }
                let text = HelpText.message(for: error, columns: Terminal.columns ?? 80)
                // For the code alone the parser would lay help out again, in columns of its own choice, which may be too few.
                let code = HelpText.isHelp(text) ? .success : RootCommand.exitCode(for: error)
                if code == .success { Terminal.print(text) } else { Terminal.printError(HelpText.escaped(text)) }
                // An exit code unknown to the argument parser is an error of ours.
                return code == .failure ? Outcome.internalError.exitCode : code.rawValue
            }
        }
    }
}

/// The messages of the argument parser, with the examples of a help text as they were written: a line that is to be copied
/// is never broken.
enum HelpText {
    /// Returns the lines of a message without control characters and passwords: it quotes what was given.
    static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map {
            PrintableText.escape(InputError.withoutPasswords(String($0)))
        }
        .joined(separator: "\n")
    }

    private static let opening = "OVERVIEW: "
    /// The fewest columns of a help text: the parser puts the options into 26, and their descriptions into the others.
    private static let leastColumns = 40

    /// Returns true if a message is a command's help, which was asked for.
    static func isHelp(_ message: String) -> Bool { message.hasPrefix(opening) }

    static func message(for error: any Error, columns: Int) -> String {
        let columns = max(columns, leastColumns)
        let text = RootCommand.fullMessage(for: error, columns: columns)
        let usage = "\nUSAGE: "
        // Wide enough for nothing to be wrapped.
        let wide = RootCommand.fullMessage(for: error, columns: 10_000)
        guard isHelp(text), let end = text.firstRange(of: usage), let start = wide.firstRange(of: usage) else {
            return text
        }
        let lines = wide[..<start.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("  ") ? String(line) : TextWrap(columns: columns).text(String(line))
        }
        return lines.joined(separator: "\n") + text[end.lowerBound...]
    }
}
