public import ProbeKit

extension RootStoreName {
    /// True if the name stands for all stores, like `all@2021-05`.
    public var isAll: Bool { store == Self.all }

    /// The name of all stores together, which none of them can have.
    public static let all = "all"
}

extension RootDatabase {
    /// The most stores that are judged beside each other.
    static let mostStores = 24

    /// Returns the anchors that a name means: those of one store, or of every store, each of which has to trust a chain.
    ///
    /// A store without a snapshot on or before the day is left out, and the anchors' name says so.
    ///
    /// - Throws: ``InputError`` as for a snapshot; if no store is that old, or there are too many.
    public func anchors(_ name: RootStoreName) throws(InputError) -> TrustAnchors {
        guard name.isAll else { return try snapshot(name).anchors }
        let snapshots = try snapshots()
        let stores = Set(snapshots.map(\.store)).sorted()
        guard stores.count <= Self.mostStores else {
            throw InputError(
                "there are \(stores.count) root stores, and \(Self.mostStores) can be judged at once",
                remedy: "take some of your own out of their folder: probe roots list names it")
        }
        var anchors: [TrustAnchors] = []
        var missing: [String] = []
        for store in stores {
            let one = try RootStoreName(name.day.map { "\(store)@\($0)" } ?? store)
            if snapshots.contains(where: { heading in
                heading.store == store && one.lastDay.map { heading.day <= $0 } ?? true
            }) {
                anchors.append(try snapshot(one).anchors)
            } else {
                missing.append(store)
            }
        }
        guard !anchors.isEmpty else {
            let first = snapshots.map(\.day).min() ?? ""
            throw InputError(
                "no root store has a snapshot of \(name.day ?? "") or before", remedy: "ask for all@\(first) or later")
        }
        let without = missing.isEmpty ? "" : " without \(missing.joined(separator: ", "))"
        return TrustAnchors(name: "\(name)\(without)", stores: anchors)
    }
}
