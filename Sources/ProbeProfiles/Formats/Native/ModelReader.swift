import ProbeKit
import ProbeRun

/// Reads model rules and their registries.
enum ModelReader {
    static func rule(_ node: ProfileNode) throws(InputError) -> ModelRule {
        let fields = try node.fields(
            "model rule",
            ProfileKeys.modelRule)
        func texts(_ name: String) throws(InputError) -> [String] {
            try fields.optional(name) { node throws(InputError) in
                try node.list { element throws(InputError) in try element.text() }
            } ?? []
        }
        return ModelRule(
            model: try fields.required("model").parsed { text throws(InputError) in try ModelName(text) },
            hosts: try fields.required("hosts").list { element throws(InputError) in
                try element.parsed { text throws(InputError) in try DNSName(text) }
            }, servers: try texts("servers"),
            dnssec: try fields.optional("dnssec") { node throws(InputError) in try node.word() } ?? .off,
            dnssecAnchors: try texts("dnssecAnchors"),
            strings: try fields.optional("strings") { node throws(InputError) in try node.word() } ?? .joined,
            absence: try fields.optional("absent") { node throws(InputError) in try node.word() } ?? .transient,
            cacheSeconds: try fields.optional("cache") { node throws(InputError) in
                try node.number(in: 0...604_800)
            } ?? ModelRule.defaultCacheSeconds,
            registry: try fields.optional("registry") { node throws(InputError) in
                try node.list { row throws(InputError) in try self.row(row) }
            } ?? [])
    }

    private static func row(_ node: ProfileNode) throws(InputError) -> ModelRegistryRow {
        let fields = try node.fields("registry row", ProfileKeys.registryRow)
        return ModelRegistryRow(
            name: try fields.required("name").parsed { text throws(InputError) in try ModelName(text) },
            from: try fields.required("from").parsed { text throws(InputError) in try ProfileInstant.first.parse(text)
            },
            until: try fields.parsed("until") { text throws(InputError) in try ProfileInstant.last.parse(text) },
            version: try fields.optional("version") { node throws(InputError) in try node.text() })
    }
}
