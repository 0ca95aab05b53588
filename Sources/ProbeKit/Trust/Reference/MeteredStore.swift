import X509

/// A certificate store that hands out candidates against the budget, so that a path search ends; it looks names up the way
/// RFC 5280 compares them.
struct MeteredStore: CustomCertificateStore {
    private var bySubject: [ComparableName: [Certificate]]
    private let budget: SearchBudget

    init(_ bySubject: [ComparableName: [Certificate]], budget: SearchBudget) {
        self.bySubject = bySubject
        self.budget = budget
    }

    subscript(subject: DistinguishedName) -> [Certificate]? {
        get async {
            guard let candidates = bySubject[ComparableName(subject)] else { return nil }
            let taken = budget.take(candidates.count)
            return taken == 0 ? nil : Array(candidates.prefix(taken))
        }
    }

    func contains(_ certificate: Certificate) async -> Bool {
        bySubject[ComparableName(certificate.subject)]?.contains(certificate) ?? false
    }

    mutating func append(contentsOf certificates: some Sequence<Certificate>) {
        for certificate in certificates {
            bySubject[ComparableName(certificate.subject), default: []].append(certificate)
        }
    }

    static func == (left: MeteredStore, right: MeteredStore) -> Bool {
        left.bySubject == right.bySubject && left.budget === right.budget
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(bySubject)
    }
}
