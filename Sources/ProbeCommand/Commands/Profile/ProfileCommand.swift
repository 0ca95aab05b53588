import ArgumentParser
import ProbeKit
import ProbeProfiles

/// `probe profile`: reads, writes, compares and checks existing profiles before they ship.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile",
        abstract: "Lint, forecast, convert and compare pin files: native profiles and what the platforms have.",
        subcommands: [
            ProfileLintCommand.self, ProfileForecastCommand.self, ProfileConvertCommand.self, ProfileDiffCommand.self,
            ProfileDigestsCommand.self,
        ])

    /// Nothing was asked for, and a script with an empty variable must not pass.
    func run() throws {
        let names = Self.configuration.subcommands.map { $0._commandName }
        throw InputError(
            "no command of profile was given",
            remedy: "choose from \(names.joined(separator: ", ")), or see probe profile --help")
    }
}

/// `probe profile digests`: the lines that let a signature over a profile cover the files that it names.
struct ProfileDigestsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "digests",
        abstract: "Print the digests of the files that a profile names, to be added to it before it is signed.",
        discussion: """
            A signature covers the profile's own bytes. Anchors, certificates and DNSSEC anchors in files of their own are \
            covered when the profile states their digests; 'probe check --signature' refuses a profile that does not.

            EXAMPLES
              probe profile digests app.yaml >> app.yaml
              openssl cms -sign -binary -md sha256 -in app.yaml -signer me.pem -inkey me.key -outform DER -out app.p7s
            """)

    @Argument(help: ArgumentHelp("The profile, in the native format.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var log: LogOptions

    func run() throws {
        let profile = try ProfileFile.read(file)
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? ""
        let files = ProfileFiles(folder: folder)
        guard !profile.files.isEmpty else {
            throw InputError("\(file) names no file", remedy: "sign it as it is", source: .file)
        }
        guard profile.digests.isEmpty else {
            throw InputError(
                "\(file) has digests already", remedy: "take 'digests' out to have all of them printed anew",
                source: .file)
        }
        var lines = ["digests:"]
        for path in profile.files { lines.append("  \(JSONText.line(path)): sha256:\(try files.digest(of: path).hex)") }
        Terminal.print(lines.joined(separator: "\n"))
    }
}
