import Foundation
import ProbeTestSupport
import Testing

/// The manual pages and completions of the packages, written by `Packaging/pages` from the program's own description.
@Suite(.bounded) struct ManualPageTests {
    private static let writer =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Packaging/pages").path

    /// Calls `body` with a folder in which the pages are.
    private func withPages(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-pages-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        // A date of its own: a copy without a repository has none.
        let written = try await Probe.shell("SOURCE_DATE_EPOCH=1790000000 '\(Self.writer)' $0 '\(folder.path)'")
        try #require(written.code == 0, "\(written.errors)")
        try await body(folder)
    }

    /// The commands that help lists, as in `profile-lint`, with the long names of their options.
    private func commands() async throws -> [String: [String]] {
        let help = try await Probe.run(["--experimental-dump-help"])
        let root = try JSONSerialization.jsonObject(with: Data(help.output.utf8)) as? [String: Any]
        var found: [String: [String]] = [:]
        func walk(_ command: [String: Any], _ path: [String]) {
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            found[path.joined(separator: "-")] = arguments.filter { $0["shouldDisplay"] as? Bool == true }
                .flatMap { $0["names"] as? [[String: String]] ?? [] }
                .compactMap { $0["kind"] == "long" ? $0["name"] : nil }
            for sub in command["subcommands"] as? [[String: Any]] ?? []
            where sub["shouldDisplay"] as? Bool == true && sub["commandName"] as? String != "help" {
                walk(sub, path + [sub["commandName"] as? String ?? ""])
            }
        }
        walk(try #require(root?["command"] as? [String: Any]), ["probe"])
        return found
    }

    @Test func everyCommandHasAPageAndNothingElse() async throws {
        let commands = try await commands()
        #expect(commands.count > 35)
        try await withPages { folder in
            let pages = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "man1").path)
            #expect(Set(pages) == Set(commands.keys.map { "\($0).1" }))
            for page in pages {
                let text = try String(contentsOf: folder.appending(path: "man1/\(page)"), encoding: .utf8)
                for reference in text.matches(of: #/\.(?:It )?Xr (\S+) 1/#) {
                    #expect(commands[String(reference.1)] != nil, "\(page) refers to \(reference.1)(1)")
                }
            }
        }
    }

    @Test(.enabled(if: isInstalled("mandoc"), "mandoc is not installed"))
    func mandocIsSatisfiedAndShowsEveryOption() async throws {
        let commands = try await commands()
        try await withPages { folder in
            // Whether another page is found depends on where pages are installed.
            let lint = try await Probe.shell(
                "cd '\(folder.path)/man1' && mandoc -T lint -W style *.1 | grep -v 'referenced manual not found'")
            #expect(lint.output == "")
            for (command, options) in commands {
                let shown = try await Probe.shell(
                    "mandoc -T ascii '\(folder.path)/man1/\(command).1' | sed 's/.\\x08//g'")
                for option in options {
                    #expect(shown.output.contains("--\(option)"), "\(command).1 lacks --\(option)")
                }
                for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"] {
                    #expect(shown.output.contains("\n\(section)\n"), "\(command).1 lacks \(section)")
                }
            }
            let main = try await Probe.shell("mandoc -T ascii '\(folder.path)/man1/probe.1' | sed 's/.\\x08//g'")
            for words in ["ENVIRONMENT", "FILES", "XDG_CACHE_HOME", "A pin does not match.", "64, 65, 70"] {
                #expect(main.output.contains(words))
            }
        }
    }

    @Test(arguments: [("bash", "bash -n", "probe"), ("zsh", "zsh -n", "_probe"), ("fish", "fish -n", "probe.fish")])
    func completionsAreReadByTheirShell(shell: String, check: String, file: String) async throws {
        if !Self.isInstalled(shell) { try skip("\(shell) is not installed") }
        try await withPages { folder in
            let path = folder.appending(path: "completions/\(file)").path
            let read = try await Probe.shell("\(check) '\(path)'")
            #expect(read.code == 0 && read.errors == "", "\(read.errors)")
            #expect(try String(contentsOfFile: path, encoding: .utf8).contains("survey"))
        }
    }

    @Test func bashCompletesCommands() async throws {
        try await withPages { folder in
            let completed = try await Probe.shell(
                """
                source '\(folder.path)/completions/probe'
                COMP_WORDS=(probe profile li) COMP_CWORD=2 COMP_LINE='probe profile li' COMP_POINT=16
                _probe probe li profile
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(completed.output == "lint\n")
        }
    }

    private static func isInstalled(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}
