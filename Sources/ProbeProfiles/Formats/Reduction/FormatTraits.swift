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
    /// The reaches that it can express of a host that it does not name.
    var unnamedReaches: [HostReach] = [.itself]
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
