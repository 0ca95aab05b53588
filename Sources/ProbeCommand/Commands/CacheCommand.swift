import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeStore

/// `probe cache`: the successes remembered between runs.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Show or forget what is remembered between runs.",
        discussion: """
            Remembered are the times of successes, under digests of what was asked: never a list, a host or a failure.

            EXAMPLES
              probe cache show
              probe cache show --cache /var/lib/probe --format json
              probe cache clear
            """,
        subcommands: [Show.self, Clear.self], defaultSubcommand: Show.self)

    /// The store's location.
    struct Place: ParsableArguments {
        @Option(
            help: ArgumentHelp("Where successes are remembered.", valueName: "file|folder|default"),
            completion: .file())
        var cache: String = "default"

        /// Returns the store, if the file exists; it is not created.
        func store() throws(InputError) -> SuccessStore? {
            let store = try CacheOptions.store(cache)
            return store.path.exists ? store : nil
        }

        /// Returns the words for a file that is not there.
        func absence() throws(InputError) -> String { "\(try shown()) does not exist" }

        /// Returns the file's path as it is printed.
        func shown() throws(InputError) -> String { PrintableText.escape("\(try CacheOptions.path(cache))") }

        /// Returns the error for an unusable file; the store has reported the reason.
        func unusable(_ obstacle: StoreObstacle?) throws(InputError) -> InputError {
            let step =
                switch obstacle {
                // Nothing is lost but what can't be used.
                case .content?: "remove it if it is yours to remove"
                case .room?: "make room on its disk"
                case .place?: "make the file and its folder ones that you may write to, on a local disk"
                case .use?, nil: "end the program that uses it, and try again"
                }
            return InputError(
                "the cache '\(try CacheOptions.path(cache))' can't be used",
                remedy: "\(step), or name another with --cache FILE", source: .file)
        }
    }

    /// `probe cache show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show what is remembered: of what kind, since when, and whether it still counts.",
            discussion: """
                EXAMPLES
                  probe cache show
                  probe cache show --format json
                """)

        private struct Line: Encodable {
            let kind: CacheKey.Kind
            let key: String
            let validated: String
            let lifetime: Int
            let counts: Bool
        }

        @OptionGroup var place: Place
        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            var contents: StoredContents?
            if let store = try place.store() {
                contents = await store.contents()
                if contents == nil { throw try await place.unusable(store.obstacle) }
            }
            let now = ProbeClock.system.now
            let lines = (contents?.successes ?? []).map { success in
                Line(
                    kind: success.key.kind, key: success.key.digest.hex, validated: RFC3339.format(success.instant),
                    lifetime: success.lifetime.seconds, counts: success.counts(at: now))
            }
            guard format == .text else {
                for line in lines { Terminal.print(JSONText.line(line)) }
                return
            }
            let table = TextTable(
                columns: ["KIND", "KEY", "VALIDATED", "FOR", "COUNTS"],
                rows: lines.map {
                    [
                        $0.kind.rawValue, "\($0.key.prefix(16))", $0.validated, "\($0.lifetime) s",
                        $0.counts ? "yes" : "no",
                    ]
                })
            guard let contents else { return Terminal.print("0 remembered: \(try place.absence())") }
            if !lines.isEmpty { Terminal.print(table.text) }
            Terminal.print(
                "\(lines.count) remembered and \(contents.baselines.counted("baseline")) in \(try place.shown())"
            )
        }
    }

    /// `probe cache clear`.
    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Forget every success.",
            discussion: """
                EXAMPLES
                  probe cache clear
                  probe cache clear --baselines
                """)

        @OptionGroup var place: Place

        @Flag(help: "Forget too what targets showed when they were good, which a watch holds the next probe against.")
        var baselines = false

        mutating func run() async throws {
            guard let store = try place.store() else {
                return Terminal.print("nothing was remembered: \(try place.absence())")
            }
            guard let count = await store.clear(baselines: baselines) else {
                throw try await place.unusable(store.obstacle)
            }
            let more = baselines ? " and \(count.baselines.counted("baseline"))" : ""
            Terminal.print("forgot \(count.successes.counted("success", plural: "successes"))\(more)")
        }
    }
}
