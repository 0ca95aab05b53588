public import ProbeKit
import ProbeNet
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
    /// A digest of the modules as they are written, and of all that was read for them: verdicts by others are not theirs. The
    /// targets that are watched do not count, nor does the time between rounds.
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
        try read(
            path, policies: policies, rules: rules, readIdentity: readIdentity,
            systemServers: { SystemResolvers.endpoints() })
    }

    /// Reads it on a machine.
    ///
    /// - Parameter systemServers: returns the machine's DNS servers.
    static func read(
        _ path: String, policies: [String: any Policy], rules: TargetRules = TargetRules(),
        readIdentity: ServeConfiguration.IdentityReading? = nil, systemServers: @escaping () -> [Endpoint]
    ) throws(InputError) -> ServeConfiguration {
        let text = try InputFile.text(of: path, limit: maximumBytes, kind: "configuration")
        let node = try YAMLNode(yaml: text, file: path, kind: "configuration", content: "its modules")
        let fields = try node.fields("configuration", ["modules", "watch"])
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        let files = FileDigest()
        files.didRead(SystemSuffixes.digest)
        let reader = ModuleReader(
            folder: folder, policies: policies, readIdentity: observed(readIdentity, by: files),
            systemServers: systemServers)
        let written = try fields.required("modules")
        let modules = try InputFile.observed(by: files) { () throws(InputError) in
            var modules: [ServeModule] = []
            for (name, value) in try written.named() { modules.append(try reader.module(name, value)) }
            return modules.sorted { $0.name < $1.name }
        }
        for word in words(of: written) { files.didRead(word) }
        for server in modules.flatMap(\.prober.modelServers) { files.didRead("\(server)") }
        let watch = try fields.optional("watch") { node throws(InputError) in
            try WatchPlan.read(node, modules: modules, rules: rules)
        }
        return ServeConfiguration(modules: modules, watch: watch ?? .none, digest: files.hex)
    }

    private static func observed(_ read: IdentityReading?, by files: FileDigest) -> IdentityReading? {
        guard let read else { return nil }
        return { paths throws(InputError) in
            // One of its files may have the key too: nothing of them is seen here.
            let identity = try InputFile.observed(by: FileDigest()) { () throws(InputError) in try read(paths) }
            files.didRead(identity)
            return identity
        }
    }

    /// Returns all keys and values below a place, in the order of the file.
    private static func words(of node: YAMLNode) -> [String] {
        guard !node.isScalar else { return [(try? node.text()) ?? ""] }
        var words: [String] = []
        if let entries = try? node.named() {
            for (name, value) in entries { words += [name] + Self.words(of: value) }
            return ["{"] + words + ["}"]
        }
        for value in (try? node.list()) ?? [] { words += Self.words(of: value) }
        return ["["] + words + ["]"]
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
