import Foundation
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeScan
import ProbeTestSupport
import Testing

@testable import ProbeCommand

/// Shells complete the files, folders and words that an option takes.
@Suite(.bounded) struct CompletionTests {
    // The names that help has for values, by what completes them: a new one needs a place here.
    private static let files: Set = [
        "file", "file[@position]", "[host=]file", "file|folder|default", "file|record", "program", "input",
        "target-or-file", "a", "b",
    ]
    private static let folders: Set = ["folder"]
    private static let closed: Set = [
        "format", "level", "mode", "kind", "position", "version", "purpose", "family", "reading", "policy", "chain",
        "client",
    ]
    private static let open: Set = [
        "name", "name[@day]", "name@date", "target", "addr:port", "addr:port|url", "url", "block", "pin", "protocol",
        "record", "[host=]record", "text", "part", "command", "instant", "date", "day", "days", "duration", "seconds",
        "percent", "bytes", "count", "number", "i/n",
    ]
    /// Those whose value's name says less.
    private static let closedOptions: Set = ["--backend", "--resolver", "--policy", "--starttls"]

    /// Returns what has to complete an argument; nil if nothing is known of its value.
    private static func expected(_ argument: DumpedHelp.Argument) -> DumpedHelp.Completes? {
        let value = argument.valueName
        if closed.contains(value) || closedOptions.contains(argument.name) { return .words }
        if files.contains(value) { return .files }
        if folders.contains(value) { return .folders }
        return open.contains(value) ? .nothing : nil
    }

    @Test func everyValueHasTheCompletionOfItsKind() throws {
        var count = 0
        for (path, arguments) in try DumpedHelp.commands() {
            for argument in arguments where !argument.isFlag {
                #expect(
                    argument.completion == Self.expected(argument),
                    "\(path) \(argument.name) <\(argument.valueName)>")
                count += 1
            }
        }
        #expect(count > 300)
    }

    /// The readers of closed sets; formats and levels are read by each command.
    private static let readers: [String: @Sendable (String) throws -> Void] = [
        "--dnssec": { _ = try DNSSECPolicy.option($0) }, "--txt-strings": { _ = try TXTStrings.option($0) },
        "--family": { _ = try FamilyChoice.option($0) }, "--starttls": { _ = try StartTLS.option($0) },
        "--pin-chain": { _ = try PinChain.option($0) }, "--kind": { _ = try PinKind.option($0) },
        "--position": { _ = try PinPosition.option($0) }, "--purpose": { _ = try TrustQuestion.Purpose.option($0) },
        "--trust": { _ = try TrustMode.option($0) }, "--server-date": { _ = try ServerDateMode.option($0) },
        "--min-tls": { _ = try TLSVersion.option($0) }, "--emulate": { _ = try Emulation.option($0) },
        "--from": { _ = try ProfileFormat.option($0) }, "--from-a": { _ = try ProfileFormat.option($0) },
        "--from-b": { _ = try ProfileFormat.option($0) }, "--to": { _ = try ProfileFormat.option($0) },
        "--policy": { name in #expect(NamedPolicies.all[name] != nil, "\(name)") },
        "--backend": { _ in }, "--resolver": { _ in }, "--format": { _ in }, "--log-level": { _ in },
    ]

    @Test func whatIsCompletedIsTaken() throws {
        for (path, arguments) in try DumpedHelp.commands() {
            for argument in arguments where argument.completion == .words {
                let read = try #require(Self.readers[argument.name], "\(path) \(argument.name)")
                for word in argument.words { try read(word) }
            }
        }
    }

    @Test(arguments: [
        ("check --ca ch", "chain.pem"), ("check --chain ch", "chain.pem"), ("verify ch", "chain.pem"),
        ("profile lint ch", "chain.pem"), ("check --plugin-path pl", "plugins"), ("check --trust na", "native"),
        ("profile convert --to tr", "trustkit"), ("check --min-tls 1.3", "1.3"),
    ]) func bashCompletes(line: String, word: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-completion-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "plugins"), withIntermediateDirectories: true)
        try "".write(to: folder.appending(path: "chain.pem"), atomically: true, encoding: .utf8)
        let found = try await Probe.shell(
            """
            cd '\(folder.path)' && eval "$($0 --generate-completion-script bash)" || exit 1
            COMP_WORDS=(probe \(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
            _probe probe "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        #expect(found.output.split(separator: "\n").map(String.init) == [word], "\(found.output)\(found.errors)")
    }
}
