import ArgumentParser
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRoots
import ProbeTrust

extension RootsCommand {
    /// One certificate of a store.
    struct Root: Encodable {
        let certSHA256: String
        @Always var subject: String?
        @Always var notAfter: String?

        init(_ der: [UInt8]) {
            certSHA256 = SwiftCryptoDigester().sha256(der.span).hex
            let details = try? CertificateDetails(certificate: der)
            _subject = Always(wrappedValue: details?.subject)
            _notAfter = Always(wrappedValue: details.map { RFC3339.format($0.notAfter) })
        }

        /// The columns of a table.
        var row: [String] { [String(certSHA256.prefix(16)), String(notAfter?.prefix(10) ?? ""), subject ?? ""] }

        static let columns = ["SHA-256", "NOT AFTER", "SUBJECT"]
    }

    /// Returns the snapshot of an argument.
    static func snapshot(_ text: String) throws(InputError) -> RootSnapshot {
        try RootDatabase.standard().snapshot(try RootStoreName(text))
    }

    /// `probe roots show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the certificates of a store.",
            discussion: """
                EXAMPLES
                  probe roots show mozilla@2021-09
                  probe roots show apple --pem > apple.pem
                """)

        private struct Line: Encodable {
            let schema = "probe-roots/1"
            let kind = "certificate"
            let store: String
            let date: String
            let certificate: Root
        }

        @Argument(help: ArgumentHelp("A store, and after @ a day.", valueName: "name@date"))
        var store: String

        @Flag(help: "Print the certificates as PEM.")
        var pem = false

        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            guard !pem || format == .text else {
                throw InputError("--pem and --format json are given", remedy: "choose one of the two")
            }
            let snapshot = try RootsCommand.snapshot(store)
            guard !pem else {
                for der in snapshot.certificates { Terminal.print(String(CertificateFile.pem(der).dropLast())) }
                return
            }
            let roots = snapshot.certificates.map(Root.init)
            switch format {
            case .json:
                for root in roots {
                    Terminal.print(
                        JSONText.line(Line(store: snapshot.store, date: snapshot.day, certificate: root)))
                }
            default:
                Terminal.print(
                    "\(snapshot.name): \(roots.count.counted("certificate")), read from \(PrintableText.escape(snapshot.origin))"
                )
                Terminal.print(TextTable(columns: Root.columns, rows: roots.map(\.row)).text)
            }
        }
    }

    /// `probe roots diff`.
    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compare two stores: which certificates one has and the other has not.",
            discussion: """
                EXAMPLES
                  probe roots diff mozilla@2020 mozilla
                  probe roots diff android@2017 apple@2017 --format json
                """)

        private struct Line: Encodable {
            let schema = "probe-roots/1"
            let kind = "difference"
            let from: String
            let to: String
            let change: String
            let certificate: Root
        }

        @Argument(help: ArgumentHelp("A store, and after @ a day.", valueName: "name@date"))
        var from: String

        @Argument(help: ArgumentHelp("The one to compare it with.", valueName: "name@date"))
        var to: String

        @OptionGroup var output: PlainOutputOptions

        mutating func run() async throws {
            let format = try output.chosen()
            let (old, new) = (try RootsCommand.snapshot(from), try RootsCommand.snapshot(to))
            let (before, after) = (Set(old.certificates), Set(new.certificates))
            let changes =
                old.certificates.filter { !after.contains($0) }.map { ("removed", Root($0)) }
                + new.certificates.filter { !before.contains($0) }.map { ("added", Root($0)) }
            switch format {
            case .json:
                for (change, root) in changes {
                    Terminal.print(
                        JSONText.line(Line(from: old.name, to: new.name, change: change, certificate: root)))
                }
            default:
                let common = before.intersection(after).count
                Terminal.print(
                    "\(old.name) to \(new.name): \(before.count - common) removed, \(after.count - common) added, "
                        + "\(common) in both")
                guard !changes.isEmpty else { return }
                let rows = changes.map { change, root in [change == "removed" ? "-" : "+"] + root.row }
                Terminal.print(TextTable(columns: [""] + Root.columns, rows: rows).text)
            }
        }
    }
}
