import ProbeKit

/// Reads the requirements of a profile, an environment or a service beside pins.
enum DemandsReader {
    static func read(_ fields: ProfileFields) throws(InputError) -> ConnectionDemands {
        func texts(_ name: String) throws(InputError) -> [String]? {
            try fields.optional(name) { node throws(InputError) in
                try node.list { element throws(InputError) in try element.text() }
            }
        }
        return ConnectionDemands(
            anchors: try texts("anchors").map { $0 == ["system"] ? .system : .files($0) },
            trust: try fields.optional("trust") { node throws(InputError) in try node.word() },
            minimumTLS: try fields.optional("minTLS") { node throws(InputError) in
                let text = try node.text()
                guard let version = TLSVersion(number: text) else {
                    throw node.refuse("is '\(text)'", remedy: "choose 1.0, 1.1, 1.2 or 1.3")
                }
                return version
            }, alpn: try texts("alpn"), policies: try texts("policies"),
            serverDate: try fields.optional("serverDate") { node throws(InputError) in try node.word() },
            expiresWithin: try fields.parsed("expiresWithin", DurationText.parse))
    }
}
