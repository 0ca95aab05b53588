public import ProbeKit
public import ProbePins
public import ProbePlatform

/// Pins of which any one has to match, with a note about each (requirement 104).
public struct PinSet: Hashable, Sendable {
    /// One pin of a set.
    public struct Member: Hashable, Sendable {
        /// The pin.
        public var pin: Pin
        /// True if it is for a certificate or key that the server does not have yet.
        public var isBackup: Bool
        /// The last instant at which it counts; nil never expires.
        public var expires: Date?
        /// The common name that the presented leaf needs for the pin to count; nil takes any.
        public var commonName: String?
        /// A note for readers of the profile.
        public var note: String?

        /// Creates a member.
        public init(
            _ pin: Pin, isBackup: Bool = false, expires: Date? = nil, commonName: String? = nil, note: String? = nil
        ) {
            self.pin = pin
            self.isBackup = isBackup
            self.expires = expires
            self.commonName = commonName
            self.note = note
        }
    }

    /// The alternatives, in the order of the file.
    public var members: [Member]
    /// The certificates that may match.
    public var position: PinPosition
    /// The chain to search.
    public var chain: PinChain
    /// The time during which a certificate that is not the pinned one is tolerated.
    public var window: TransitionWindow?
    /// The expiry of the set.
    public var expiry: PinGroup.Expiry?
    /// True if a mismatch fails the check; else it is a warning.
    public var isEnforced: Bool

    /// Creates a set.
    public init(
        _ members: [Member], position: PinPosition, chain: PinChain = .validated, window: TransitionWindow? = nil,
        expiry: PinGroup.Expiry? = nil, isEnforced: Bool = true
    ) {
        self.members = members
        self.position = position
        self.chain = chain
        self.window = window
        self.expiry = expiry
        self.isEnforced = isEnforced
    }

    /// Returns the set as a group for judging.
    ///
    /// - Parameter isEnforced: true if the environment enforces pins at all.
    public func group(isEnforced: Bool = true) -> PinGroup {
        var group = plainGroup(isEnforced: isEnforced)
        guard hasCommonNames else { return group }
        // From the members, for the group has the latest end of a pin over all names.
        let anyName = members.filter { $0.commonName == nil }
        for (name, own) in Dictionary(grouping: members, by: \.commonName) {
            guard let name else { continue }
            var set = self
            set.members = own + anyName
            group.named[name] = set.plainGroup(isEnforced: isEnforced)
        }
        return group
    }

    private func plainGroup(isEnforced: Bool) -> PinGroup {
        // A pin may be listed for several common names, each with an end of its own.
        let endless = Set(members.filter { $0.expires == nil }.map(\.pin))
        let expiries = members.filter { !endless.contains($0.pin) }.compactMap { member in
            member.expires.map { (member.pin, $0) }
        }
        return PinGroup(
            members.map(\.pin), position: position, chain: chain, window: window, expiry: expiry,
            pinExpiries: Dictionary(expiries, uniquingKeysWith: max), isEnforced: isEnforced && self.isEnforced)
    }
}

extension PinSet {
    /// Returns the set with the pins for one common name alone, if some are: a list for many names says of each what its
    /// certificate is, and the others' are neither its backups nor bound to end with it.
    func narrowed(to name: String) -> PinSet {
        guard members.contains(where: { $0.commonName != nil && $0.isFor(name) }) else { return self }
        var set = self
        set.members.removeAll { !$0.isFor(name) }
        return set
    }
}

extension PinSet.Member {
    /// Returns true if the pin counts for a leaf with a common name, compared byte for byte; nil is that of a leaf without
    /// one.
    func isFor(_ name: String?) -> Bool {
        guard let commonName else { return true }
        return name.map { $0.utf8.elementsEqual(commonName.utf8) } ?? false
    }
}

extension PinSet {
    /// True if some of its pins are for a common name.
    var hasCommonNames: Bool { members.contains { $0.commonName != nil } }

    /// True if all of its pins are SPKI hashes, the only kind in platforms' own files.
    var hasOnlySPKI: Bool { members.allSatisfy { $0.pin.kind == .spki } }
}
