import ProbeKit
import ProbePlatform
import ProbeTrust
import ProbeYAML

extension ClientFile {
    /// Reads the habits of a client's verifier; those that the file leaves out stay.
    func readHabits(_ fields: YAMLFields, _ habits: inout VerifierHabits) throws(InputError) {
        let old = habits
        habits.paths = try fields[.paths]?.word() ?? old.paths
        habits.issuers = try fields[.issuers]?.word() ?? old.issuers
        habits.anchors = try fields[.anchors]?.word() ?? old.anchors
        habits.judgesAnchorValidity = try fields[.anchorValidity]?.flag() ?? old.judgesAnchorValidity
        habits.acceptsCommonName = try fields[.commonName]?.flag() ?? old.acceptsCommonName
        habits.acceptsSHA1 = try fields[.sha1]?.flag() ?? old.acceptsSHA1
        habits.includesLastSecond = try fields[.lastSecond]?.flag() ?? old.includesLastSecond
        habits.judgesNameConstraints = try fields[.nameConstraints]?.flag() ?? old.judgesNameConstraints
        habits.minimumRSABits = try fields[.minimumRSABits]?.number(in: 512...16384) ?? old.minimumRSABits
        try readRules(fields, &habits)
        if let field = fields[.lifetimes] { habits.lifetimes = try lifetimes(field) }
    }

    private func readRules(_ fields: YAMLFields, _ habits: inout VerifierHabits) throws(InputError) {
        let old = habits
        habits.requiresKeyIdentifiers = try fields[.keyIdentifiers]?.flag() ?? old.requiresKeyIdentifiers
        habits.purposes = try fields[.purposes]?.word() ?? old.purposes
        if let day = try fields[.serverPurpose]?.parsed(Self.day) {
            habits.serverPurposeSince = try Self.start(of: day)
        }
        habits.purposePlaces = try fields[.purposePlaces]?.word() ?? old.purposePlaces
        habits.leafUsage = try fields[.leafUsage]?.word() ?? old.leafUsage
        habits.judgesRoles = try fields[.roles]?.flag() ?? old.judgesRoles
        habits.judgesPolicies = try fields[.certificatePolicies]?.flag() ?? old.judgesPolicies
        habits.readsAnchors = try fields[.anchorExtensions]?.flag() ?? old.readsAnchors
        habits.acceptsAddresses = try fields[.addressNames]?.flag() ?? old.acceptsAddresses
        if let field = fields[.unknownExtensions] {
            habits.unknownExtensions = Set(
                try field.list { element throws(InputError) in
                    try element.word() as VerifierHabits.UnknownExtension
                })
        }
    }

    private func lifetimes(_ field: YAMLNode) throws(InputError) -> [VerifierHabits.Lifetime] {
        let limits = try field.list { element throws(InputError) in
            let limit = try element.fields("lifetime", ["since", "days", "slack"])
            return VerifierHabits.Lifetime(
                since: try Self.start(of: try limit.required("since").parsed(Self.day)),
                days: try limit.required("days").number(in: 1...36500),
                slack: try limit.optional("slack") { field throws(InputError) in
                    try field.number(in: 0...86400)
                } ?? 0)
        }
        guard Set(limits.map(\.since)).count == limits.count else {
            throw field.refuse("has two limits since the same day", remedy: "keep one of them")
        }
        return limits.sorted { $0.since < $1.since }
    }

    /// Returns the first second of a day, since 1970.
    private static func start(of day: String) throws(InputError) -> Int {
        Int(try RFC3339.parse(day + "T00:00:00Z").timeIntervalSince1970)
    }
}
