import ProbeKit
import ProbeYAML

/// The targets that are asked in rounds, without a scraper.
struct WatchPlan: Sendable {
    /// One of them.
    struct Item: Hashable, Sendable {
        let module: String
        /// The target as a scraper would name it; nil is everything in a profile.
        let target: String?
        let hostname: String?

        /// Its name for people.
        var name: String {
            let target = target ?? "everything in the profile"
            return hostname.map { "\(target) as \($0)" } ?? target
        }

        /// The same with its module, for a sentence.
        var words: String { "the watched target '\(name)' of the module '\(module)'" }
    }

    /// Nobody.
    static let none = WatchPlan(every: .seconds(300), items: [])
    /// The shortest time between two rounds.
    private static let shortest: Duration = .seconds(1)
    /// The largest number of targets.
    private static let maximumCount = 10_000

    /// The time from a target's answer to its next question.
    let every: Duration
    let items: [Item]
    /// The same, to be looked up: every scrape asks whether its target is watched.
    private let known: Set<Item>

    init(every: Duration, items: [Item]) {
        self.every = every
        self.items = items
        known = Set(items)
    }

    func contains(_ item: Item) -> Bool { known.contains(item) }

    /// The time after an answer for which its verdict answers scrapes: a target that was skipped twice is asked anew.
    var lifetime: Duration { every * 3 }

    /// Reads the key `watch` of a configuration.
    ///
    /// - Parameter rules: the targets that may be probed.
    static func read(
        _ node: YAMLNode, modules: [ServeModule], rules: TargetRules
    ) throws(InputError) -> WatchPlan {
        let fields = try node.fields("watch", ["every", "targets"])
        let every =
            try fields.optional("every") { node throws(InputError) in
                try node.parsed { text throws(InputError) in try GoDuration.parse(text) }
            } ?? none.every
        guard every >= shortest else {
            throw (fields["every"] ?? node).refuse("is less than a second", remedy: "write one like 5m")
        }
        var places: [Item: Int] = [:]
        let items = try fields.required("targets").list { node throws(InputError) -> Item in
            let found = try item(node, modules, rules)
            if let first = places[found] {
                throw node.refuse("is the same as 'watch.targets[\(first)]'", remedy: "leave one of them out")
            }
            places[found] = places.count
            return found
        }
        guard items.count <= maximumCount else {
            throw node.refuse("has \(items.count) targets", remedy: "give at most \(maximumCount)")
        }
        return WatchPlan(every: every, items: items)
    }

    private static func item(
        _ node: YAMLNode, _ modules: [ServeModule], _ rules: TargetRules
    ) throws(InputError) -> Item {
        let fields = try node.fields("watched target", ["module", "target", "hostname"])
        let module = try fields.required("module")
        let name = try module.text()
        guard let prober = modules.first(where: { $0.name == name })?.prober else {
            throw module.refuse(
                "is '\(name)', which is not a module of this configuration",
                remedy: "choose \(modules.map(\.name).joined(separator: ", "))")
        }
        // As in a request, an empty target counts as left out.
        let target = try fields["target"]?.text()
        let named = target?.isEmpty == true ? nil : target
        if named == nil, !prober.hasOwnTargets {
            throw node.refuse("has no target, and the module '\(name)' has none of its own", remedy: "give a target")
        }
        let item = Item(module: name, target: named, hostname: try hostname(fields["hostname"], prober, name))
        try refuse(named, of: prober, unlessAllowedBy: rules, at: fields["target"] ?? node)
        return item
    }

    /// Rejects a target that no round could ask: it can't be read, or may not be probed.
    private static func refuse(
        _ target: String?, of prober: ServeModule.Prober, unlessAllowedBy rules: TargetRules, at node: YAMLNode
    ) throws(InputError) {
        let names: [ServerName]
        do throws(InputError) {
            names = try prober.names(of: target)
        } catch {
            throw node.refuse(error)
        }
        guard let excluded = names.first(where: { !rules.allows($0) }) else { return }
        throw node.refuse(
            "leads to '\(excluded)', which is not among the targets that may be probed here",
            remedy: "allow that target, or take this one out of the watch")
    }

    private static func hostname(
        _ node: YAMLNode?, _ prober: ServeModule.Prober, _ module: String
    ) throws(InputError) -> String? {
        guard let node else { return nil }
        guard prober.takesHostname else {
            throw node.refuse("is of no use with the module '\(module)'", remedy: "leave it out")
        }
        let text = try node.text()
        guard !text.isEmpty else { return nil }
        do throws(InputError) { _ = try ServerName(text) } catch {
            throw node.refuse("is not a host name: \(error.message)", remedy: error.remedy)
        }
        return text
    }

    /// The plan as YAML; empty without targets.
    var text: String {
        guard !items.isEmpty else { return "" }
        let lines = items.map { item in
            let values = [("module", item.module), ("target", item.target), ("hostname", item.hostname)]
            let text = values.compactMap { key, value in value.map { "\(key): \(JSONText.line($0))" } }
            return "    - {\(text.joined(separator: ", "))}\n"
        }
        return "watch:\n  every: \(every.inSeconds)s\n  targets:\n\(lines.joined())"
    }
}
