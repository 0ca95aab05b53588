public import ProbeKit
public import ProbeTrust

/// A client as it was shipped: what it offers, whom it trusts and how it judges a chain.
///
/// A fact without a source is left out, and what holds in its place is said where the client judges.
public struct Client: Hashable, Sendable {
    /// The way the client reaches an issuer that a server did not send.
    public enum MissingIssuers: String, Hashable, Sendable, CaseIterable {
        /// It refuses the chain.
        case refused
        /// It fetches the certificate from the address in the one below it.
        case fetched
        /// It may know the certificate from another server, or from a list of its own.
        case remembered
    }

    /// The name, like `android-7.0`.
    public internal(set) var name: String
    /// The file it is from, without `.yaml`: `android`.
    public internal(set) var family: String
    /// The day of its release, like `2016-08-22`.
    public internal(set) var released: String
    /// The platform or library, in words.
    public internal(set) var library: String
    /// The backend that is the client itself, by its name; nil if there is none.
    public var program: String?
    /// The percentage of chains that its emulation and the client itself judge alike; nil where they were not compared.
    public var agreement: Double?
    /// The root store, as `--roots` takes it; nil where its roots are not known.
    public var roots: String?
    /// The file of its roots, for a client of a user's own.
    public var rootsFile: String?
    /// The content of that file when its client was read; nil has it read when the client is asked.
    package var rootsInFile: TrustAnchors?
    /// The content of its ClientHello; its lists are nil as far as they are not known.
    public var offer = ClientOffer()
    /// False if it sends no server name.
    public var sendsName = true
    /// The habits of its verifier.
    public var habits = VerifierHabits()
    /// True if it asks for a stapled OCSP response, judges it, and misses one that a certificate demands (RFC 7633).
    public var judgesStaples = false
    /// The way to an issuer that a server did not send.
    public var missingIssuers = MissingIssuers.refused
    /// The named policies of its platform.
    public var policies: [String] = []
    /// The platforms' own files of pins that it does not read, although clients of its platform may.
    public var unreadPins: [PlatformPins] = []
    /// The shipped family that it is of, or that the client is of which it extends; nil if nothing is known of its platform.
    public var platform: String?
    /// The source of each fact, by the fact's key in the file.
    public var sources: [String: String] = [:]

    /// True if the emulation is known to differ from the client on more than two chains of a hundred.
    public var isApproximate: Bool { agreement.map { $0 < 98 } ?? false }

    /// Creates a client without facts.
    public init(name: String, family: String, released: String, library: String) {
        self.name = name
        self.family = family
        self.released = released
        self.library = library
    }
}
