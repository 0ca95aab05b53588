import ArgumentParser
import ProbeKit
import ProbeProfiles

/// `probe profile diff`: the differences between two files of pins, of any formats.
struct ProfileDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two files of pins host by host, whatever their formats.",
        discussion: """
            Differences that a format can't help are reported as 'platform': Apple's rules cover one label below a host, \
            Android's any number; Android has no leaf pins. They don't count.

            EXAMPLES
              probe profile diff Info.plist network_security_config.xml
              probe profile diff app.yaml pins.txt --from-b spki-b64 --host api.example.com

            EXIT CODES
              0 the same, platforms aside · 10 drift · 15 a list that the key did not sign · 64 usage · 65 bad input file
            """)

    private struct Line: Encodable {
        let schema = "probe-drift/1"
        let drift: ProfileDrift

        private enum CodingKeys: CodingKey { case schema }

        func encode(to encoder: any Encoder) throws {
            try drift.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(schema, forKey: .schema)
        }
    }

    @Argument(help: ArgumentHelp("The one file.", valueName: "a"), completion: .file())
    var first: String

    @Argument(help: ArgumentHelp("The other file.", valueName: "b"), completion: .file())
    var second: String

    @Option(help: ArgumentHelp("The first file's format; its content decides when not given.", valueName: "format"))
    var fromA: Given<ProfileFormat>?

    @Option(help: ArgumentHelp("The second file's format.", valueName: "format"))
    var fromB: Given<ProfileFormat>?

    @OptionGroup var format: FormatOptions
    @OptionGroup var output: PlainOutputOptions

    func run() throws {
        let printed = try output.chosen()
        let (leftBytes, rightBytes) = (try ProfileFile.bytes(of: first), try ProfileFile.bytes(of: second))
        let (left, right) = (
            try side(first, leftBytes, from: fromA?.value),
            try side(second, rightBytes, from: fromB?.value)
        )
        try format.refuseIdle(for: [left.format, right.format])
        let drifts = ProfileDiff(left, right).drifts()
        let text = DriftText(
            first: .init(path: first, bytes: leftBytes), second: .init(path: second, bytes: rightBytes))
        for drift in drifts {
            Terminal.print(printed == .json ? JSONText.line(Line(drift: drift)) : text.text(drift))
        }
        let count = drifts.count { $0.severity == .drift }
        if printed == .text {
            Terminal.print(count == 0 ? "no drift" : "\(count) \(count == 1 ? "difference" : "differences")")
        }
        if count > 0 { throw ExitCode(Outcome.pinMismatch.exitCode) }
    }

    private func side(
        _ path: String, _ bytes: [UInt8], from format: ProfileFormat?
    ) throws(InputError) -> ProfileDiff.Side {
        let (read, imported) = try ProfileFile.read(
            bytes, from: path, format: format, context: try self.format.context(path))
        for note in imported.notes where note.severity == .warning {
            Terminal.printError("\(PrintableText.escape(path)): \(note)")
        }
        return ProfileDiff.Side(imported.profile, format: read)
    }
}
