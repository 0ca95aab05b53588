import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRoots
import ProbeTrust

extension RootsCommand {
    /// `probe roots trust`.
    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust",
            abstract: "Show which stores trust a chain, and since when.",
            discussion: """
                The reference verifier searches the valid paths of a chain to any certificate of any store; a store \
                trusts the chain on the days on which it had the end of one. Exit code 11 if none ever did.

                EXAMPLES
                  probe roots trust chain.pem --name example.com
                  probe roots trust chain.pem --at 2021-10-01T00:00:00Z
                """)

        private struct Line: Encodable {
            struct Run: Encodable {
                let from: String
                let to: String
                let isOpen: Bool

                private enum CodingKeys: String, CodingKey {
                    case from, to
                    case isOpen = "open"
                }
            }

            let schema = "probe-roots/1"
            let kind = "trust"
            let store: String
            let trusted: [Run]
        }

        @Argument(help: ArgumentHelp("Files with the chain, the leaf first.", valueName: "file"), completion: .file())
        var files: [String] = []

        @Option(help: ArgumentHelp("The name the leaf has to be for.", valueName: "name"))
        var name: String?

        @OptionGroup var moment: InstantOption
        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            guard !files.isEmpty else {
                throw InputError(
                    "no file was given", remedy: "write probe roots trust FILE, or see probe roots trust --help")
            }
            var chain: [[UInt8]] = []
            for file in files { chain += try CertificateFile.read(file) }
            let serverName = try name.map { text throws(InputError) in try ServerName.read(wireText: text) }
            let database = RootDatabase.standard()
            let every = TrustAnchors(name: "every store", certificates: try database.everyCertificate(), isSystem: true)
            let (trust, further) = await ReferenceVerifier.withSystemSuffixes().evaluate(
                TrustQuestion(
                    chain: chain, anchors: every, name: serverName, instant: moment.clock.now),
                furtherPaths: FurtherPaths.limit)
            let paths = [trust.path].compactMap(\.self) + further.paths
            let anchors = Set(paths.compactMap(\.last))
            let stores = try database.days(having: anchors)
            switch format {
            case .json:
                for store in stores {
                    let runs = store.runs.map { Line.Run(from: $0.first, to: $0.last, isOpen: $0.isOpen) }
                    Terminal.print(JSONText.line(Line(store: store.store, trusted: runs)))
                }
            default:
                let rows = stores.map { [$0.store, Self.text($0.runs)] }
                Terminal.print(TextTable(columns: ["STORE", "TRUSTS IT"], rows: rows).text)
                for anchor in anchors.map(Root.init).sorted(by: { $0.certSHA256 < $1.certSHA256 }) {
                    Terminal.print("path to \(anchor.subject ?? "") (\(anchor.certSHA256.prefix(16)))")
                }
                for problem in trust.problems { Terminal.print("\(problem.cause.rawValue): \(problem.message)") }
                if !further.isComplete { Terminal.print("there may be more paths: the search was given up") }
            }
            if anchors.isEmpty { throw ExitCode(Outcome.trustFailed.exitCode) }
        }

        private static func text(_ runs: [RootStoreDays.Run]) -> String {
            guard !runs.isEmpty else { return "never" }
            return runs.map { $0.isOpen ? "since \($0.first)" : "\($0.first) to \($0.last)" }.joined(separator: ", ")
        }
    }
}
