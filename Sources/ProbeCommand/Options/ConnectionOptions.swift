import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRoots
import ProbeTrust

/// The endpoint to dial and the timeout, the trust anchors, and the time.
///
/// The parts are groups of their own, so that a command that has no use for one hides it.
struct ConnectionOptions: ParsableArguments {
    @OptionGroup var place: DialOptions
    @OptionGroup var anchor: AnchorOptions
    @OptionGroup var moment: InstantOption

    var connect: Given<DialAddress>? { place.connect }
    var timeout: Given<TimeLimit>? { place.timeout }
    var ca: String? { anchor.ca }
    var roots: Given<RootStoreName>? { anchor.roots }
    var at: Given<Date>? { moment.at }

    var dial: Endpoint? { place.dial }
    var socket: String? { place.socket }
    var anchorOption: String? { anchor.option }
    var clock: ProbeClock { moment.clock }
    var runningClock: ProbeClock { moment.runningClock }
    var limit: Duration { timeout?.value.duration ?? TimeLimit.usual }

    /// Those of these options that were given.
    var given: [String] {
        [
            ("--connect", connect != nil), ("--ca", ca != nil), ("--roots", roots != nil), ("--at", at != nil),
            ("--timeout", timeout != nil),
        ]
        .filter(\.1).map(\.0)
    }

    /// Returns the anchors, with the revocation lists of these options.
    func anchors(_ revocation: RevocationOptions? = nil) throws(InputError) -> TrustAnchors {
        try anchor.anchors(revocation)
    }
}

extension ConnectionOptions {
    /// Joins parts that a command has by themselves.
    init(_ place: DialOptions, _ anchor: AnchorOptions, _ moment: InstantOption) {
        self.init()
        self.place = place
        self.anchor = anchor
        self.moment = moment
    }
}
