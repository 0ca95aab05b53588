import ProbeKit

/// What a format can express, so that what it can't is taken away in one place and told.
struct FormatTraits {
    /// What it says about where in a chain a pin holds.
    enum Positions {
        /// Nothing; this is how it is read.
        case unstated(PinPosition)
        /// Its readers look at these certificates alone.
        case fixed(PinPosition)
        /// One of these; another position becomes the first.
        case oneOf([PinPosition])
        /// Every position.
        case all
    }

    /// How many sets that must all match a host can have.
    enum Sets {
        case one
        case oneForEachPosition
        case oneForEachKindAndPosition
        /// One that is enforced, and one that is only reported.
        case oneForEachEnforcement
    }

    /// What it says about until when pins count.
    enum Expiry {
        case never
        /// A day for the set, after which nobody looks at it.
        case day
        /// An instant for each pin.
        case perPin
    }

    /// Whose names it has.
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
    /// Whether it can say that a mismatch is only reported.
    var reports = false
    /// Whether a name can be exempt from a wider rule.
    var exempts = false
    /// Whether a host goes with a port.
    var hasPorts = false
    /// What becomes of hosts that it does not list; nil if it says nothing of it.
    var unlistedHost: UnlistedHost?
    /// How the pins of several rules for one name go together.
    var overlap: HostSemantics = .exact
}
