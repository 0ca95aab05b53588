public import ProbeKit
import ProbeLab
public import ProbePins
import ProbePlatform

/// A group of pins as data.
public struct PinGroupRecipe: Hashable, Sendable {
    /// A transition window as data, in seconds from the PKI's epoch.
    public struct Window: Hashable, Sendable {
        /// The first second.
        public var start = 0
        /// The last second: twenty days later.
        public var end = 1_728_000
        /// The condition that the certificate has to meet instead.
        public var fallback = TransitionWindow.Fallback.alternate
        /// The largest accepted difference between the server's clock and ours, in seconds.
        public var maximumSkew = TransitionWindow.defaultMaximumSkew
        /// The tolerance without a server's `Date`.
        public var onMissingDate = TransitionWindow.MissingDate.strict

        func window(_ pki: LabPKI) -> TransitionWindow {
            TransitionWindow(
                start: pki.epoch.addingTimeInterval(Double(start)), end: pki.epoch.addingTimeInterval(Double(end)),
                fallback: fallback, maximumSkew: maximumSkew, onMissingDate: onMissingDate)
        }

        func with(_ change: (inout Window) -> Void) -> Window {
            var copy = self
            change(&copy)
            return copy
        }
    }

    /// The alternatives.
    public let pins: [PinRecipe]
    /// The certificates that may match.
    public let position: PinPosition
    /// The chain to search.
    public let chain: PinChain
    /// The time during which another certificate is tolerated; nil tolerates none.
    public let window: Window?
    /// True if a mismatch fails the check.
    public let isEnforced: Bool

    /// Creates a group.
    public init(
        _ pins: PinRecipe..., at position: PinPosition, in chain: PinChain = .validated, window: Window? = nil,
        isEnforced: Bool = true
    ) {
        self.init(pins, at: position, in: chain, window: window, isEnforced: isEnforced)
    }

    /// Creates a group.
    public init(
        _ pins: [PinRecipe], at position: PinPosition, in chain: PinChain = .validated, window: Window? = nil,
        isEnforced: Bool = true
    ) {
        self.pins = pins
        self.position = position
        self.chain = chain
        self.window = window
        self.isEnforced = isEnforced
    }

    func group(_ pki: LabPKI) throws -> PinGroup {
        PinGroup(
            try pins.map { try $0.pin(pki) }, position: position, chain: chain, window: window?.window(pki),
            isEnforced: isEnforced)
    }
}
