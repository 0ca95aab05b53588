import ProbeKit

/// The capabilities of a format, so that what it can't express is removed and reported in one place.
struct FormatTraits {
    /// The positions in a chain that it can express.
    enum Positions {
        /// Nothing; this is how it is read.
        case unstated(PinPosition)
        /// Its readers check only these certificates.
        case fixed(PinPosition)
        /// One of these; another position becomes the first.
        case oneOf([PinPosition])
        /// Every position.
        case all
    }

    /// The number of sets that must all match for a host.
    enum Sets {
        case one
        case oneForEachPosition
        case oneForEachKindAndPosition
        /// One that is enforced, and one that is only reported.
        case oneForEachEnforcement
    }

    /// The expiry that it can express.
    enum Expiry {
        case never
        /// A day for the set, after which it is ignored.
        case day
        /// An instant for each pin.
        case perPin
    }

    /// The hosts that it can name.
    enum Hosts {
        /// None: it is a list of pins.
        case none
        /// Names, with these reaches; each name once, unless `repeats`.
        case names([HostReach], repeats: Bool)
    }

    var kinds: Set<PinKind>
    var positions: Positions
    var sets: Sets = .one
    var expiry: Expiry = .never
    var hosts: Hosts
    /// True if it can express that a mismatch is only reported.
    var reports = false
    /// True if a name can be exempt from a wider rule.
    var exempts = false
    /// True if a host has a port.
    var hasPorts = false
    /// The rule for hosts that it does not list; nil if it has none.
    var unlistedHost: UnlistedHost?
    /// The way in which the pins of several rules for one name combine.
    var overlap: HostSemantics = .exact
}

/// The names that a rule applies to, by the number of labels above its domain.
enum HostReach: String, CaseIterable {
    case itself = "the host itself"
    case children = "names one label below, without the host"
    case selfAndChildren = "the host and names one label below"
    case everything = "the host and all names below"

    init(_ rule: HostRule) {
        switch rule.semantics {
        case .exact: self = .itself
        case .ats: self = rule.includesSubdomains ? .selfAndChildren : .itself
        case .android, .trustkit: self = rule.includesSubdomains ? .everything : .itself
        case .okhttp:
            self = rule.pattern.hasPrefix("**.") ? .everything : rule.pattern.hasPrefix("*.") ? .children : .itself
        }
    }

    /// The covered depths: 0 is the host, 2 is everything below the first label.
    var depths: Set<Int> {
        switch self {
        case .itself: [0]
        case .children: [1]
        case .selfAndChildren: [0, 1]
        case .everything: [0, 1, 2]
        }
    }

    /// Creates the reach that covers these depths and no others.
    init?(_ depths: Set<Int>) {
        guard let reach = Self.allCases.first(where: { $0.depths == depths }) else { return nil }
        self = reach
    }

    /// Returns the narrowest of some reaches that covers no less than this one, else the widest of them.
    func nearest(among reaches: [HostReach]) -> HostReach {
        let wider = reaches.filter { $0.depths.isSuperset(of: depths) }
        return wider.min { $0.depths.count < $1.depths.count } ?? reaches.max { $0.depths.count < $1.depths.count }
            ?? .itself
    }
}
