import ArgumentParser
import Foundation
import ProbeKit
import ProbeMatch
import ProbePins
import ProbePlatform
import ProbeProfiles

/// `probe match`: the certificates with a pinned key, in any number of them.
struct MatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Find the certificates that have one of your pins, in any number of them.",
        discussion: """
            Inputs are files, folders and - for standard input: PEM, DER, or JSON that has certificates anywhere in it (a \
            log's get-entries, lines of zgrab2, tlsx or probe itself), and data tiles of a certificate transparency log; \
            each packed by gzip or zstd or not. A folder's other files are passed over. Archives come through a pipe, which \
            holds one form. The exit code is 0 if a certificate has a pin, 10 if none has, and 65 if something could not be \
            searched to its end, or nothing was found and a certificate could not be read; everything else is searched all \
            the same.

            EXAMPLES
              probe match --pin spki:sha256:BASE64 /etc/ssl/certs
              probe match --profile app.yaml bundle.pem more.der
              probe match --pins leaked.txt --format json entries-*.json.gz
              tar -xOf pem-files.tar | probe match --pins leaked.txt -
            """)

    @Argument(
        help: ArgumentHelp("A file or a folder with certificates, or - for standard input.", valueName: "input"),
        completion: .file())
    var inputs: [String] = []

    @Option(help: ArgumentHelp("A pin as for check, whatever its position; repeat it for others.", valueName: "pin"))
    var pin: [Given<PinArgument>] = []

    @Option(
        help: ArgumentHelp("A file of pins, one a line as for --pin; repeat it for others.", valueName: "file"),
        completion: .file())
    var pins: [String] = []

    @Option(
        help: ArgumentHelp(
            "All pins of this profile, or of a file in any other format of 'probe profile convert'; repeat it for others.",
            valueName: "file"), completion: .file())
    var profile: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Append to this file instead of writing to standard output, and go on where an earlier search of the same \
            inputs for the same pins came to; with --format json. A file whose name ends with .zst is packed.
            """, valueName: "file"), completion: .file())
    var resume: String?

    @OptionGroup var output: PlainOutputOptions

    mutating func run() async throws {
        guard !inputs.isEmpty else {
            throw InputError("nothing was given to search", remedy: "name files or folders, or - for standard input")
        }
        let format = try output.chosen()
        try refuseToResume(in: format)
        let wanted = try wanted()
        let record = try resume.map { path throws(InputError) in try MatchRecord(path) }
        let earlier = try await record?.earlier(MatchSearchLine(inputs, for: wanted)) ?? EarlierSearch()
        let printer = MatchPrinter(format: format, to: record)
        let search = PinSearch(wanted, single: Self.singleDigester)
        let tally: SearchTally
        do {
            // A folder may have the file that standard output was redirected to.
            let own = resume.flatMap(FileStatus.init(at:)) ?? FileStatus(descriptor: STDOUT_FILENO)
            tally = try await search.run(inputs, after: earlier, leavingOut: own) { event in printer.print(event) }
        } catch let error as InputError {
            record?.finish()
            throw error
        }
        printer.print(tally, of: wanted)
        record?.finish()
        guard tally.certificates + tally.matched + tally.unreadable + tally.unfinished > 0 else {
            throw InputError(
                "\(inputs.joined(separator: ", ")) has no certificates in a form that is known",
                remedy: "name files or folders that have some; links to folders below them are not followed",
                source: .file)
        }
        // That none has a pin can be said only of what was read.
        guard tally.unfinished == 0, tally.matched > 0 || tally.unreadable == 0 else {
            throw ExitCode(InputError.Source.file.exitCode)
        }
        if tally.matched == 0 { throw ExitCode(Outcome.pinMismatch.exitCode) }
    }

    private func refuseToResume(in format: OutputFormat) throws(InputError) {
        guard let resume else { return }
        guard format == .json else {
            throw InputError(
                "--resume \(resume) goes on from JSON alone", remedy: "give --format json too")
        }
        guard !inputs.contains("-") else {
            throw InputError(
                "standard input and --resume are given, and what was read of it is gone", remedy: "search a file")
        }
    }

    /// The library for what this processor has no faster way of its own; swift-crypto's allocates for each message.
    private static var singleDigester: any Digester {
        // From the end: those that came with the program are there, and open nothing.
        Backends.current.digesters.last { !($0 is SwiftCryptoDigester) && $0.absence == nil } ?? SwiftCryptoDigester()
    }

    /// Returns all pins that were given.
    private func wanted() throws(InputError) -> Set<Pin> {
        var wanted = Set(pin.flatMap { $0.value.pins.map(\.pin) })
        for path in pins { wanted.formUnion(try PinList.read(path)) }
        for path in profile {
            let found = try ProfileFile.read(path).everyPin
            guard !found.isEmpty else {
                throw InputError("\(path) has no pins", remedy: "give a profile that pins something", source: .file)
            }
            wanted.formUnion(found)
        }
        guard !wanted.isEmpty else {
            throw InputError("no pin was given", remedy: "give --pin PIN, --pins FILE or --profile FILE")
        }
        return wanted
    }
}

extension Profile {
    /// All pins of the profile, those of its hosts and services too.
    fileprivate var everyPin: [Pin] {
        let sets = pins + hosts.flatMap(\.pins) + environments.flatMap(\.services).flatMap(\.pins)
        return sets.flatMap { $0.members.map(\.pin) }
    }
}
