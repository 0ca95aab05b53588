import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRoots

/// `probe roots`: the root stores that `--roots` knows.
struct RootsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roots",
        abstract: "Root stores by name and day: whom the clients of that time trusted.",
        discussion: """
            A day means the snapshot of that day or the last one before it; a year or a month means its last day. A name \
            alone means the newest snapshot.

            EXAMPLES
              probe roots list
              probe roots show mozilla@2021-09
              probe roots diff android@2020 android@2024
              probe roots trust chain.pem --name example.com
              probe roots import --name acme --date 2024-05-01 cacerts.jks
              probe --roots mozilla@2021-09 example.com
            """,
        subcommands: [List.self, Show.self, Diff.self, Trust.self, Import.self], defaultSubcommand: List.self)

    /// `probe roots list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the root stores, the days they are known of, and where each was read.",
            discussion: """
                EXAMPLES
                  probe roots list
                  probe roots list --format json
                """)

        private struct Line: Encodable {
            let schema = "probe-roots/1"
            let kind = "snapshot"
            let store: String
            let date: String
            let origin: String
            let licence: String
        }

        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            let snapshots = try RootDatabase.standard().snapshots()
            guard format == .text else {
                for one in snapshots {
                    Terminal.print(
                        JSONText.line(
                            Line(store: one.store, date: one.day, origin: one.origin, licence: one.licence)))
                }
                return
            }
            let stores = Dictionary(grouping: snapshots, by: \.store).sorted { $0.key < $1.key }
            let rows = stores.map { store, all in
                [
                    store, "\(all.count)", all.first?.day ?? "", all.last?.day ?? "", all.last?.origin ?? "",
                    all.last?.licence ?? "",
                ]
            }
            Terminal.print(
                TextTable(columns: ["STORE", "SNAPSHOTS", "FIRST", "NEWEST", "READ FROM", "LICENCE"], rows: rows).text)
        }
    }

    /// `probe roots import`.
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Keep the certificates of files as a root store of your own.",
            discussion: """
                PEM and DER, Java key stores (JKS), PKCS #12 without encryption, and folders and archives (ZIP, wheels, and \
                tar, plain or packed by gzip or zstd) of such files, at any depth, like Android's \
                system/etc/security/cacerts. Of an archive with several stores --only chooses one. Certificates that a \
                file rejects, or that are in a folder like blocklist, are left out. The store is kept in \
                $XDG_DATA_HOME/probe/roots, or in ~/.local/share/probe/roots.

                EXAMPLES
                  probe roots import --name acme --date 2024-05-01 $JAVA_HOME/lib/security/cacerts
                  probe roots import --name android-7.0 --date 2016-08-22 cacerts/
                  probe roots import --name wheel --date 2024-07-04 certifi-2024.7.4-py3-none-any.whl
                  probe roots import --name windows --date 2024-03-10 --only microsoft sslyze-6.0.0.tar.gz
                """)

        private struct Line: Encodable {
            let schema = "probe-roots/1"
            let kind = "import"
            let store: String
            let date: String
            let file: String
            let certificates: Int
        }

        @Argument(help: ArgumentHelp("Files, or folders of them.", valueName: "file"), completion: .file())
        var files: [String] = []

        @Option(help: ArgumentHelp("What --roots calls the store.", valueName: "name"))
        var name: String

        @Option(help: ArgumentHelp("The day the store is of, like 2024-05-01.", valueName: "day"))
        var date: String

        @Option(
            help: ArgumentHelp("Of folders and archives, the files whose path has this in it alone.", valueName: "part")
        )
        var only: String?

        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            let asked: RootStoreName
            do throws(InputError) {
                asked = try RootStoreName("\(name)@\(date)")
            } catch {
                throw InputError("--name and --date: \(error.message)", remedy: error.remedy)
            }
            guard date.utf8.count == 10 else {
                throw InputError("--date '\(date)' is not a day", remedy: "write year, month and day, like 2024-05-01")
            }
            guard !asked.isAll else {
                throw InputError("--name all means every store", remedy: "choose another name, like all-of-ours")
            }
            guard try !RootDatabase.standard(own: nil).snapshots().contains(where: { $0.store == asked.store }) else {
                throw InputError(
                    "--name \(name) is a store that is shipped with probe",
                    remedy: "choose another name, like my-\(name)")
            }
            guard !files.isEmpty else {
                throw InputError("no file was given", remedy: "write probe roots import --name NAME --date DAY FILE")
            }
            guard let own = OwnRootStores.standard else {
                throw InputError(
                    "there is no folder for root stores: neither XDG_DATA_HOME nor HOME is an absolute path",
                    remedy: "set HOME")
            }
            let certificates = try certificates()
            let (path, bytes) = try own.draft(certificates, store: asked.store, day: date)
            try OutputFile(path: path).write(bytes)
            switch format {
            case .json:
                Terminal.print(
                    JSONText.line(Line(store: name, date: date, file: path, certificates: certificates.count)))
            default:
                Terminal.print(
                    "\(asked): \(certificates.count.counted("certificate")), kept in \(PrintableText.escape(path))")
            }
        }

        /// The most certificates that are left out one by one.
        private static let named = 5

        /// Returns the certificates of all files, and reports those that are left out.
        private func certificates() throws(InputError) -> [[UInt8]] {
            var (certificates, rejected): ([[UInt8]], [RootFile.Rejected]) = ([], [])
            for file in files {
                let content = try RootFile.read(file, only: only)
                certificates += content.certificates
                rejected += content.rejected
            }
            let content = RootFile.Content(certificates, rejected: rejected)
            // A file that was not chosen has its say only about those that were.
            let given = Set(certificates)
            let leftOut = content.rejected.filter { !$0.isOfUnchosenFile || given.contains($0.certificate) }
            for one in leftOut.prefix(Self.named) {
                Terminal.printError("probe: \(PrintableText.escape("\(one)"))")
            }
            let more = leftOut.count - Self.named
            if more > 0 { Terminal.printError("probe: \(more) more are left out for such reasons") }
            guard !content.certificates.isEmpty else {
                throw InputError(
                    "the files have no certificate that none of them rejects",
                    remedy: "leave out the file whose rejections do not hold", source: .file)
            }
            return content.certificates
        }
    }
}
