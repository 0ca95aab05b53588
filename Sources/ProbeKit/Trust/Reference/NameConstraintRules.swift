import X509

/// Name constraints after RFC 5280 section 4.2.1.10: the names of every certificate below a constrained CA, by their type.
enum NameConstraintRules {
    /// What the constraints of a path forbid.
    ///
    /// - Parameter path: the certificates from the leaf to the anchor.
    static func problems(ofPath path: [ParsedCertificate], _ budget: inout SearchBudget) -> [TrustReading.Problem] {
        for (depth, issuer) in path.enumerated().dropFirst() {
            // Constraints that can't be read are a problem of their own.
            guard let constraints = issuer.extensions.constraints else { continue }
            for (position, certificate) in path[..<depth].enumerated() {
                // Self-issued certificates are excepted, unless they are the leaf (RFC 5280 section 6.1.3 (b)).
                if position > 0, certificate.isSelfIssued { continue }
                let names = certificate.extensions.constrained
                guard budget.spend(names.count * constraints.count) else {
                    return [.init(.tooComplex, "too many names and name constraints to compare", depth: depth)]
                }
                for name in names {
                    guard let reason = violation(of: constraints, by: name) else { continue }
                    let message = "'\(issuer.certificate.subject)' does not allow \(reason)"
                    return [.init(.constraintViolated, message, depth: depth)]
                }
            }
        }
        return []
    }

    private static func violation(of constraints: ReadConstraints, by name: ConstrainedName) -> String? {
        for subtree in constraints.excluded {
            switch match(name, subtree, excluding: true) {
            case .outside, .otherType: continue
            case .inside: return "\(name), which it excludes"
            case .unknown: return "\(name), by a constraint that can't be compared"
            }
        }
        var isPermitted: Bool?
        for subtree in constraints.permitted {
            switch match(name, subtree, excluding: false) {
            case .otherType: continue
            case .inside: isPermitted = true
            case .outside: isPermitted = isPermitted ?? false
            case .unknown: return "\(name), by a constraint that can't be compared"
            }
        }
        return isPermitted == false ? "\(name), which it does not permit" : nil
    }

    private enum Match {
        case inside
        case outside
        /// The constraint is about names of another type.
        case otherType
        /// Name or constraint is of this type and can't be read: fail closed.
        case unknown

        init(_ isInside: Bool?) {
            self = isInside.map { $0 ? .inside : .outside } ?? .unknown
        }
    }

    private static func match(_ name: ConstrainedName, _ subtree: ConstrainedName, excluding: Bool) -> Match {
        switch (name, subtree) {
        case (.dns(let name), .dns(let base)): Match(dnsName(name, isWithin: base, excluding: excluding))
        case (.address(let name), .address(let range)): Match(address(name, isWithin: range))
        case (.directory(let name, _), .directory(let base, _)): Match(name.isWithin(base))
        case (.mailbox(let name), .mailbox(let base)): Match(mailbox(name, isWithin: base))
        case (.uri(let name), .uri(let base)): Match(host(ofURI: name).map { host($0, isWithin: base) } ?? nil)
        case (.other(let tag), .other(let other)) where tag == other: .unknown
        default: .otherType
        }
    }

    /// A name is in the subtree of `base` when it is `base` with labels before it. A wildcard is excluded when any name it
    /// stands for is, and permitted when all are.
    private static func dnsName(_ name: String, isWithin base: String, excluding: Bool) -> Bool? {
        guard !base.hasPrefix("."), !base.contains("*") else { return nil }
        if base.isEmpty { return true }
        guard name.hasPrefix("*.") else { return name == base || name.hasSuffix("." + base) }
        let parent = name.dropFirst(2)
        if parent == base || parent.hasSuffix("." + base) { return true }
        // The wildcard stands for `base` itself among others.
        return excluding && base.firstIndex(of: ".").map { base[base.index(after: $0)...] == parent } == true
    }

    private static func address(_ bytes: [UInt8], isWithin range: [UInt8]) -> Bool? {
        guard [4, 16].contains(bytes.count), [8, 32].contains(range.count) else { return nil }
        guard range.count == bytes.count * 2 else { return false }
        let (network, mask) = (range.prefix(bytes.count), range.suffix(bytes.count))
        guard isPrefixMask(mask) else { return nil }
        return zip(bytes, zip(network, mask)).allSatisfy { $0 & $1.1 == $1.0 & $1.1 }
    }

    private static func isPrefixMask(_ mask: ArraySlice<UInt8>) -> Bool {
        // Ones, then at most one byte that is ones and then zeros, then zeros.
        let rest = mask.drop { $0 == 0xff }
        guard let first = rest.first else { return true }
        return (~first & (~first &+ 1)) == 0 && rest.dropFirst().allSatisfy { $0 == 0 }
    }

    /// A constraint with `@` is one mailbox, one with a leading period all mailboxes on hosts below, else those on a host.
    private static func mailbox(_ name: String, isWithin base: String) -> Bool? {
        guard let at = name.lastIndex(of: "@"), at != name.startIndex else { return nil }
        let host = name[name.index(after: at)...].lowercased()
        if let baseAt = base.lastIndex(of: "@") {
            guard baseAt != base.startIndex else { return nil }
            return name[..<at] == base[..<baseAt] && host == base[base.index(after: baseAt)...].lowercased()
        }
        return self.host(host, isWithin: base)
    }

    /// A constraint with a leading period covers hosts below, else one host.
    private static func host(_ host: String, isWithin base: String) -> Bool? {
        let base = base.lowercased()
        guard base != "." else { return nil }
        if base.isEmpty { return true }
        return base.hasPrefix(".") ? host.hasSuffix(base) && host != base.dropFirst() : host == base
    }

    /// The host of a URI; nil when it has none or an address, which no constraint can cover.
    private static func host(ofURI uri: String) -> String? {
        guard let scheme = uri.firstRange(of: "://") else { return nil }
        var authority = uri[scheme.upperBound...].prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        if let colon = authority.lastIndex(of: ":") { authority = authority[..<colon] }
        let host = authority.lowercased()
        return host.isEmpty || host.hasPrefix("[") || IPAddress(host) != nil ? nil : host
    }
}
