import ProbeKit
import X509

/// Name constraints after RFC 5280 section 4.2.1.10: the names of every certificate below a constrained CA, by their type.
enum NameConstraintRules {
    /// Returns the problems with the name constraints of a path.
    ///
    /// - Parameters:
    ///   - path: the certificates from the leaf to the anchor.
    ///   - usesCommonName: true if the leaf's common name is the server's name, which DNS names constrain then.
    static func problems(
        ofPath path: [ParsedCertificate], usesCommonName: Bool = false, _ budget: inout SearchBudget
    ) -> [PathProblem] {
        for (depth, issuer) in path.enumerated().dropFirst() {
            // Constraints that can't be read are a problem of their own.
            guard let constraints = issuer.extensions.constraints else { continue }
            for (position, certificate) in path[..<depth].enumerated() {
                // Self-issued certificates are excepted, unless they are the leaf (RFC 5280 section 6.1.3 (b)).
                if position > 0, certificate.isSelfIssued { continue }
                let common = position == 0 && usesCommonName ? ConstrainedName.commonNames(of: certificate) : []
                let names = certificate.extensions.constrained + common
                let bytes = certificate.extensions.constrainedBytes
                // A comparison takes a tenth of a microsecond, and one more for each 64 bytes of the name.
                guard budget.spend((names.count + bytes / 64) * constraints.count / 2) else {
                    return [.init(.tooComplex, "too many names and name constraints to compare", depth: depth)]
                }
                for name in names {
                    guard let reason = violation(of: constraints, by: name) else { continue }
                    return [
                        .init(
                            .constraintViolated, "'\(issuer.certificate.subject)' does not allow \(reason())",
                            depth: depth)
                    ]
                }
            }
        }
        return []
    }

    /// Returns a closure with the message for a name that the constraints forbid, built only when needed; nil if they
    /// permit it.
    private static func violation(of constraints: ReadConstraints, by name: ConstrainedName) -> (() -> String)? {
        for subtree in constraints.excluded {
            switch match(name, subtree, excluding: true) {
            case .outside, .otherType: continue
            case .inside: return { "\(name), which it excludes" }
            case .unknown: return { "\(name), by a constraint that can't be compared" }
            }
        }
        var isPermitted: Bool?
        for subtree in constraints.permitted {
            switch match(name, subtree, excluding: false) {
            case .otherType: continue
            case .inside: isPermitted = true
            case .outside: isPermitted = isPermitted ?? false
            case .unknown: return { "\(name), by a constraint that can't be compared" }
            }
        }
        return isPermitted == false ? { "\(name), which it does not permit" } : nil
    }

    private enum Match {
        case inside
        case outside
        /// The constraint is about names of another type.
        case otherType
        /// Name or constraint is of this type and can't be read: fail closed.
        case unknown

        init(_ isInside: Bool) {
            self = isInside ? .inside : .outside
        }
    }

    private static func match(_ name: ConstrainedName, _ subtree: ConstrainedName, excluding: Bool) -> Match {
        switch (name, subtree) {
        case (.dns(let name, let parent, _), .dns(let base, let above, let isBelowOnly)):
            // A wildcard is excluded if any name it matches is, `base` itself among others, and permitted if all are.
            isBelowOnly
                ? Match(ends(name, with: base) && name != base)
                : Match(ends(name, with: base) || (excluding && name.hasPrefix(".*.") && parent == above))
        case (.address(let name), .address(let range)): Match(address(name, isWithin: range))
        case (.directory(let name, _), .directory(let base, _)): Match(name.isWithin(base))
        case (.mailbox(let local, let host), .mailbox(let baseLocal?, let base)):
            Match(local == baseLocal && host == base)
        case (.mailbox(_, let host), .mailbox(nil, let base)), (.uri(let host), .uri(let base)):
            Match(self.host(host, isWithin: base))
        default: name.tag == subtree.tag ? .unknown : .otherType
        }
    }

    private static func address(_ bytes: [UInt8], isWithin range: [UInt8]) -> Bool {
        guard range.count == bytes.count * 2 else { return false }
        return bytes.indices.allSatisfy { index in
            let mask = range[bytes.count + index]
            return bytes[index] & mask == range[index] & mask
        }
    }

    /// A constraint with a leading period covers hosts below, else one host.
    private static func host(_ host: String, isWithin base: String) -> Bool {
        if base.isEmpty { return true }
        return base.hasPrefix(".") ? ends(host, with: base) : host == base
    }

    /// Compares bytes: names outside ASCII are not worth the search for their characters' boundaries.
    private static func ends(_ name: String, with end: String) -> Bool {
        name.utf8.count >= end.utf8.count && name.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
    }
}
