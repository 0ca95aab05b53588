import X509

/// A certificate's name constraints in the form they are compared in.
struct ReadConstraints: Sendable {
    let permitted: [ConstrainedName]
    let excluded: [ConstrainedName]

    init(_ constraints: NameConstraints) {
        permitted = constraints.permittedSubtrees.map { ConstrainedName(subtree: $0) }
        excluded = constraints.excludedSubtrees.map { ConstrainedName(subtree: $0) }
    }

    var count: Int { permitted.count + excluded.count }
}
