public import ProbeKit
import ProbePlatform
import ProbeYAML

/// Reads fleets from YAML.
public enum FleetFile: Sendable {
    /// Reads a fleet.
    ///
    /// - Parameters:
    ///   - path: the file; its paths are relative to its folder.
    ///   - catalogue: the clients known beside those that the file names.
    public static func read(_ path: String, _ catalogue: ClientCatalogue) throws(InputError) -> Fleet {
        let text = try InputFile.text(of: path, limit: ClientFile.maximumBytes, kind: "fleet")
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let top = try YAMLNode(yaml: text, file: path, kind: "fleet", content: "clients: and a share for each")
        let fields = try top.fields("fleet", ["fleet", "minimum", "targets", "profile", "clientFiles", "clients"])
        _ = try fields.required("fleet").number(in: 1...1)
        var catalogue = catalogue
        for file in try fields.optional(
            "clientFiles",
            { field throws(InputError) in
                try field.list { element throws(InputError) in try element.text() }
            }) ?? []
        {
            _ = try catalogue.add(file: file.hasPrefix("/") ? file : folder + file)
        }
        var members: [Fleet.Member] = []
        for (name, node) in try fields.required("clients").named() {
            guard let client = catalogue.clients.first(where: { $0.name == name }) else {
                let hint = NearestWord.hint(for: name, among: catalogue.clients.map(\.name))
                throw node.refuse("is not a client", remedy: "\(hint)see probe clients")
            }
            members.append(Fleet.Member(client: client, share: try share(node)))
        }
        let total = members.reduce(0) { $0 + $1.share }
        guard total > 0, total <= 100.5 else {
            throw try fields.required("clients").refuse(
                members.isEmpty ? "lists no client" : "adds up to \(FleetShare.text(total)) %",
                remedy: "give each client its share of the users in percent")
        }
        let profile = try fields.optional("profile") { field throws(InputError) in try field.text() }
        return Fleet(
            members: members,
            minimum: try fields.optional("minimum") { field throws(InputError) in try share(field) },
            targets: try fields.optional("targets") { field throws(InputError) in
                try field.list { element throws(InputError) in try element.text() }
            } ?? [],
            profile: profile.map { $0.hasPrefix("/") ? $0 : folder + $0 })
    }

    private static func share(_ node: YAMLNode) throws(InputError) -> Double {
        let text = try node.text()
        guard let share = Double(decimal: text), share >= 0, share <= 100 else {
            throw node.refuse("is '\(text)'", remedy: "write a percentage, like 0.8")
        }
        return share
    }
}

/// Shares as people read them.
public enum FleetShare: Sendable {
    /// Returns a percentage rounded down, so that one below a minimum never reads as if it were the minimum; but never down to
    /// none. It has at most two decimals, and near all of the users one more for each further nine.
    public static func text(_ share: Double) -> String {
        var unit = 100
        while unit < maximumUnit, share < 100, (100 - share) * Double(unit) < 10 { unit *= 10 }
        var parts = Int(((share + FleetReading.tolerance) * Double(unit)).rounded(.down))
        if parts == 0, share > FleetReading.tolerance { parts = 1 }
        // The 1 keeps the zeros before the other digits.
        var decimals = String(unit + parts % unit).dropFirst()
        while decimals.last == "0" { decimals.removeLast() }
        return "\(parts / unit)" + (decimals.isEmpty ? "" : ".\(decimals)")
    }

    /// The parts of a percent in five decimals; a sixth would be within the tolerance.
    private static let maximumUnit = 100_000
}
