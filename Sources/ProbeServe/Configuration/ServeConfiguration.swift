public import ProbeKit
import ProbePlatform
public import ProbeRun
import ProbeYAML

/// The modules of a configuration file, with everything read that they name.
public struct ServeConfiguration: Sendable {
    /// Reads a client certificate and its key.
    public typealias IdentityReading = @Sendable (IdentityFiles) throws(InputError) -> ClientIdentity

    /// The largest file that is read, in bytes.
    private static let maximumBytes = 1 << 20

    let modules: [ServeModule]
    let watch: WatchPlan
    /// A digest of the modules and of all files that they name: verdicts by others are not theirs.
    let digest: String

    /// Reads a file as blackbox_exporter has it, a module of which may also be a profile.
    ///
    /// - Parameters:
    ///   - policies: the policies that profiles can name.
    ///   - rules: the targets that may be probed; a watched one that is not among them is refused.
    ///   - readIdentity: reads client certificates; nil refuses files that name some.
    /// - Throws: ``InputError`` naming the file, the line and the key, also for a key that asks for what is not done here:
    ///   a module that asks for less than its author believes would pass where it should fail.
    public static func read(
        _ path: String, policies: [String: any Policy], rules: TargetRules = TargetRules(),
        readIdentity: ServeConfiguration.IdentityReading? = nil
    ) throws(InputError) -> ServeConfiguration {
        let text = try InputFile.text(of: path, limit: maximumBytes, kind: "configuration")
        let node = try YAMLNode(yaml: text, file: path, kind: "configuration", content: "its modules")
        let fields = try node.fields("configuration", ["modules", "watch"])
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        let reader = ModuleReader(folder: folder, policies: policies, readIdentity: readIdentity)
        let files = FileDigest()
        let modules = try InputFile.observed(by: files) { () throws(InputError) in
            var modules: [ServeModule] = []
            for (name, value) in try fields.required("modules").named() {
                modules.append(try reader.module(name, value))
            }
            return modules.sorted { $0.name < $1.name }
        }
        let watch = try fields.optional("watch") { node throws(InputError) in
            try WatchPlan.read(node, modules: modules, rules: rules)
        }
        files.didRead(Array(Self.text(of: modules).utf8))
        return ServeConfiguration(modules: modules, watch: watch ?? .none, digest: files.hex)
    }

    subscript(name: String) -> ServeModule? { modules.first { $0.name == name } }

    /// The warnings about the modules' files.
    var warnings: [String] { modules.flatMap(\.warnings) }

    /// The configuration as it was understood. What it may not show is not read in the first place.
    var text: String { Self.text(of: modules) + watch.text }

    private static func text(of modules: [ServeModule]) -> String {
        "modules:\n" + modules.map { "  \($0.quotedName):\n\($0.text(indent: 4))" }.joined()
    }
}
