import ArgumentParser
import Foundation
import ProbeKit
import ProbeProfiles

/// `probe profile convert`: converts pins from one format into another, and reports the losses.
struct ProfileConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Write a file of pins in another format; what it can't express goes to standard error.",
        discussion: """
            FORMATS
              native-yaml native-json        our own
              apple android trustkit okhttp  Info.plist, network security configuration, TrustKit's plist, PATTERN PIN lines
              curl hpkp wultra tlsa          --pinnedpubkey, RFC 7469 headers, wultra's JSON, zone lines
              cert-colon hex rawkey-hex spki-b64          one digest a line
              pem-cert der-cert pem-pubkey der-pubkey     certificates and keys, where the input has them whole
            Read too: an APK, an IPA, OkHttp's pins in Kotlin and Java, TrustKit's dictionary in Swift and Objective-C.

            EXAMPLES
              probe profile convert network_security_config.xml --to apple
              probe profile convert Info.plist --to native-yaml -o app.yaml
              probe profile convert app.apk --to okhttp
              openssl x509 -in leaf.pem -noout -fingerprint -sha256 | \
            probe profile convert /dev/stdin --to native-yaml --host api.example.com
              probe profile convert leaf.pem --kind spki --to curl

            With --strict, exit code 65 and no output where something was passed over or can't be expressed.
            """)

    @Argument(help: ArgumentHelp("The file to read.", valueName: "file"), completion: .file())
    var input: String

    @Option(help: ArgumentHelp("Its format; its content decides when not given.", valueName: "format"))
    var from: Given<ProfileFormat>?

    @Option(help: ArgumentHelp("The format to write.", valueName: "format"))
    var to: Given<ProfileFormat>

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write here instead of to standard output.", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: "Fail where anything gets lost.")
    var strict = false

    @OptionGroup var format: FormatOptions

    func run() throws {
        let target = to.value
        let (read, imported) = try ProfileFile.read(input, format: from?.value, context: try format.context(input))
        try format.refuseIdle(for: [read], writing: target)
        let exported = try target.write(
            imported.profile, host: format.host?.value, position: format.position?.value,
            material: imported.material)
        for note in imported.notes { Terminal.printError("\(PrintableText.escape(input)): \(note)") }
        let losses = exported.losses.map(\.description) + strayFiles(imported.profile)
        for loss in losses { Terminal.printError("lost in \(target.rawValue): \(loss)") }
        let warnings = imported.notes.filter { $0.severity == .warning }.count
        guard !strict || losses.count + warnings == 0 else {
            throw InputError(
                "\(input) (\(read.rawValue)) loses \((losses.count + warnings).counted("thing")) as \(target.rawValue)",
                remedy: "leave --strict out to write the rest", source: .file)
        }
        guard let output else { return Terminal.print(bytes: exported.bytes) }
        try OutputFile(path: output).write(exported.bytes)
    }

    /// Returns the files that would be looked for elsewhere: their paths start at the folder of the profile.
    private func strayFiles(_ profile: Profile) -> [String] {
        func folder(_ path: String) -> String {
            URL(filePath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
        }
        guard to.value.isNative, let output, output != "-", folder(input) != folder(output) else { return [] }
        func content(_ path: String, in folder: String) -> Data? {
            try? Data(contentsOf: URL(filePath: "\(folder)/\(path)"))
        }
        return (profile.files + profile.identityFiles).filter { path in
            !path.hasPrefix("/")
                && (content(path, in: folder(output)) == nil
                    || content(path, in: folder(input)) != content(path, in: folder(output)))
        }
        .map { "\(PrintableText.escape($0)): it is looked for in the folder of \(output), so move it there too" }
    }
}
