/// Changes of the extensions that a certificate has.
extension CertificateRule {
    /// The extensions of the shapes, by name.
    private static let usual: [(String, [UInt8])] = [
        ("basic", [0x55, 0x1d, 19]), ("usage", [0x55, 0x1d, 15]), ("purpose", [0x55, 0x1d, 37]),
        ("names", [0x55, 0x1d, 17]), ("subject-key", [0x55, 0x1d, 14]), ("authority-key", [0x55, 0x1d, 35]),
    ]

    /// Changes of one extension, then of all of them.
    static let extensionForms: [CertificateRule] =
        usual.flatMap { name, oid in
            [
                form("without-\(name)", oid) { list, place in list.remove(at: place) },
                form("\(name)-twice", oid) { list, place in list.append(list[place]) },
                form("\(name)-twice-in-a-row", oid) { list, place in list.insert(list[place], at: place) },
                form("\(name)-criticality-changed", oid) { list, place in
                    list[place].criticality = list[place].criticality.isEmpty ? CertificatePlan.Extension.critical : []
                },
                form("\(name)-false-written", oid) { list, place in list[place].criticality = [0x01, 0x01, 0x00] },
                form("\(name)-true-as-01", oid) { list, place in list[place].criticality = [0x01, 0x01, 0x01] },
                form("\(name)-value-longer", oid) { list, place in list[place].value.append(0) },
                form("\(name)-value-shorter", oid) { list, place in _ = list[place].value.popLast() },
                form("\(name)-value-indefinite", oid) { list, place in
                    let value = list[place].value
                    if value.count > 1, value[1] < 0x80 {
                        list[place].value = [value[0], 0x80] + value.dropFirst(2) + [0, 0]
                    }
                },
                form("\(name)-value-long-length", oid) { list, place in
                    let value = list[place].value
                    if value.count > 1, value[1] < 0x80 { list[place].value = [value[0], 0x81] + value.dropFirst(1) }
                },
                CertificateRule("\(name)-bit") { plan, place, numbers in
                    guard let at = plan.path[place].firstIndex(of: oid),
                        let count = plan.path[place].extensions?[at].value.count, count > 0
                    else { return false }
                    plan.path[place].extensions?[at].value[numbers.below(count)] ^= 1 << UInt8(numbers.below(8))
                    return true
                },
            ]
        } + [
            .always("extensions-reversed") { $0.extensions?.reverse() },
            .always("extensions-empty") { $0.extensions = [] }, .always("extensions-absent") { $0.extensions = nil },
            CertificateRule("extensions-of-another") { plan, place, numbers in
                let other = numbers.below(plan.path.count)
                plan.path[place].extensions = plan.path[other].extensions
                return other != place
            },
            CertificateRule("extension-of-another") { plan, place, numbers in
                let other = numbers.below(plan.path.count)
                guard other != place, let list = plan.path[other].extensions, !list.isEmpty else { return false }
                plan.path[place].put(list[numbers.below(list.count)])
                return true
            },
        ]

    private static func form(
        _ name: String, _ oid: [UInt8],
        _ change: @escaping @Sendable (inout [CertificatePlan.Extension], Int) -> Void
    ) -> CertificateRule {
        CertificateRule(name) { plan, place, _ in
            guard let at = plan.path[place].firstIndex(of: oid), var list = plan.path[place].extensions else {
                return false
            }
            change(&list, at)
            plan.path[place].extensions = list
            return true
        }
    }
}
