import ProbeKit

/// Other selections of what is presented, trusted and asked.
extension ChainRule {
    static let presentations: [ChainRule] = [
        ChainRule("chain/reversed") { plan, _ in
            guard plan.presented.count > 2 else { return false }
            plan.presented[1...].reverse()
            return true
        },
        ChainRule("chain/leaf-last") { plan, _ in
            guard plan.presented.count > 1 else { return false }
            plan.presented.reverse()
            return true
        },
        ChainRule("chain/root-presented") { plan, _ in
            plan.presented.append(.path(plan.root))
            return true
        },
        ChainRule("chain/issuer-missing") { plan, _ in
            guard plan.issuer != nil else { return false }
            plan.presented.removeAll { $0 == .path(1) }
            return true
        },
        ChainRule("chain/issuer-twice") { plan, _ in
            guard plan.issuer != nil else { return false }
            plan.presented.append(.path(1))
            return true
        },
        ChainRule("chain/leaf-twice") { plan, _ in
            plan.presented.append(.path(0))
            return true
        },
        added("chain/junk", .bytes([0x30, 0x03, 0x02, 0x01])), added("chain/one-byte", .bytes([0x30])),
        ChainRule("chain/stranger") { plan, _ in
            let stranger = ChainShape.authority("Stranger")
            return add(stranger, above: stranger, to: &plan)
        },
        ChainRule("chain/namesake-first") { plan, _ in
            guard let place = plan.issuer else { return false }
            var other = plan.path[place]
            (other.key, other.serial) = (PlannedKey(.p256, "namesake"), [0x66])
            let above = plan.path[place + 1]
            return add(other, above: above, to: &plan, at: 1)
        },
        ChainRule("chain/renewed-issuer-first") { plan, _ in
            guard let place = plan.issuer else { return false }
            var other = plan.path[place]
            (other.serial, other.notBefore, other.notAfter) =
                ([0x67], ChainShape.utc("200101000000Z"), ChainShape.utc("210101000000Z"))
            let above = plan.path[place + 1]
            return add(other, above: above, to: &plan, at: 1)
        },
        ChainRule("chain/issuer-not-authority-first") { plan, _ in
            guard let place = plan.issuer else { return false }
            var other = plan.path[place]
            other.serial = [0x68]
            other.put(.ce(19, [0x30, 0x00], isCritical: true))
            let above = plan.path[place + 1]
            return add(other, above: above, to: &plan, at: 1)
        },
        ChainRule("chain/issuer-for-clients-first") { plan, _ in
            guard let place = plan.issuer else { return false }
            var other = plan.path[place]
            other.serial = [0x69]
            other.put(.ce(37, DERBytes.sequence([0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 2])))
            let above = plan.path[place + 1]
            return add(other, above: above, to: &plan, at: 1)
        },
        ChainRule("chain/issuer-self-signed-first") { plan, _ in
            guard let place = plan.issuer else { return false }
            var other = plan.path[place]
            (other.serial, other.issuer) = ([0x6a], other.subject)
            let above = other
            return add(other, above: above, to: &plan, at: 1)
        },
        ChainRule("chain/root-by-another-first") { plan, _ in
            var cross = plan.path[plan.root]
            cross.serial = [0x6b]
            return add(cross, above: ChainShape.authority("Other Root"), to: &plan, at: 1)
        },
        ChainRule("chain/self-issued-issuer") { plan, _ in
            guard let place = plan.issuer else { return false }
            var rolled = plan.path[place]
            rolled.key = PlannedKey(.p256, "rolled")
            rolled.issuer = rolled.subject
            rolled.put(.ce(14, DERBytes.value(0x04, ChainShape.identifier(rolled.key))))
            let above = plan.path[place]
            plan.path[0].signer = rolled.key
            plan.path[0].put(.ce(35, DERBytes.sequence(DERBytes.value(0x80, ChainShape.identifier(rolled.key)))))
            return add(rolled, above: above, to: &plan, at: 1)
        },
        ChainRule("anchors/issuer-alone") { plan, _ in
            guard plan.issuer != nil else { return false }
            plan.anchors = [.path(1)]
            return true
        },
        ChainRule("anchors/issuer-too") { plan, _ in
            guard plan.issuer != nil else { return false }
            plan.anchors.append(.path(1))
            return true
        },
        ChainRule("anchors/leaf-alone") { plan, _ in
            plan.anchors = [.path(0)]
            return true
        },
        ChainRule("anchors/leaf-too") { plan, _ in
            plan.anchors.append(.path(0))
            return true
        },
        ChainRule("anchors/none") { plan, _ in
            plan.anchors = []
            return true
        },
        ChainRule("anchors/twice") { plan, _ in
            plan.anchors += plan.anchors
            return true
        },
        ChainRule("anchors/junk-too") { plan, _ in
            plan.anchors.append(.bytes([0x30, 0x03, 0x02, 0x01]))
            return true
        },
        ChainRule("anchors/namesake-first") { plan, _ in
            var other = plan.path[plan.root]
            (other.key, other.serial) = (PlannedKey(.p256, "namesake"), [0x6c])
            plan.others.append((other, other))
            plan.anchors.insert(.other(plan.others.count - 1), at: 0)
            return true
        },
        ChainRule("anchors/expired-twin-first") { plan, _ in
            var other = plan.path[plan.root]
            (other.serial, other.notBefore, other.notAfter) =
                ([0x6d], ChainShape.utc("200101000000Z"), ChainShape.utc("210101000000Z"))
            plan.others.append((other, other))
            plan.anchors.insert(.other(plan.others.count - 1), at: 0)
            return true
        },
        ChainRule("anchors/cross-certificate") { plan, _ in
            var other = plan.path[plan.root]
            other.serial = [0x6e]
            plan.others.append((other, ChainShape.authority("Other Root")))
            plan.anchors = [.other(plan.others.count - 1)]
            return true
        },
    ]

    static let questions: [ChainRule] = [
        asked("ask/other-name", .dns("other.test")), asked("ask/www", .dns("www.good.test")),
        asked("ask/below", .dns("a.b.good.test")), asked("ask/top", .dns("test")),
        asked("ask/address", .ip(.loopback4)), asked("ask/address-6", .ip(.loopback6)), asked("ask/no-name", nil),
        asked("ask/underscore", .dns("_a.good.test")), asked("ask/idn", .dns("xn--good-9za.test")),
        ChainRule("ask/client") { plan, _ in
            plan.purpose = .client
            return true
        },
        ChainRule("ask/any-purpose") { plan, _ in
            plan.purpose = .any
            return true
        },
        ChainRule("ask/depth-0") { plan, _ in
            plan.maxDepth = 0
            return true
        },
        ChainRule("ask/depth-1") { plan, _ in
            plan.maxDepth = 1
            return true
        },
    ]

    private static func asked(_ name: String, _ asked: ServerName?) -> ChainRule {
        ChainRule(name) { plan, _ in
            defer { plan.name = asked }
            return plan.name != asked
        }
    }

    private static func added(_ name: String, _ item: ChainPlan.Item) -> ChainRule {
        ChainRule(name) { plan, _ in
            plan.presented.append(item)
            return true
        }
    }

    /// Presents a certificate beside the path.
    private static func add(
        _ certificate: CertificatePlan, above: CertificatePlan, to plan: inout ChainPlan, at place: Int? = nil
    ) -> Bool {
        plan.others.append((certificate, above))
        plan.presented.insert(
            .other(plan.others.count - 1), at: min(place ?? plan.presented.count, plan.presented.count))
        return true
    }
}
