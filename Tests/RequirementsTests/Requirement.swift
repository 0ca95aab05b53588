/// One behaviour of the five security documents the project starts from, in a few words.
struct Requirement {
    /// The document it is from.
    enum Source: String {
        case lutheranRadio = "Lutheran Radio"
        case avFoundation = "AVFoundation pinning"
        case timor = "Timor"
        case minvws = "minvws HTTPSecurity"
        case ecall = "ecall"
    }

    /// The requirement's applicability to a prober on Linux.
    enum Applicability: String {
        case directly
        case byAnalogy = "by analogy"
        case not
    }

    let number: Int
    let source: Source
    let applicability: Applicability
    /// The observable behaviour; if it does not apply, the reason.
    let text: String

    static let all = lutheranRadio + avFoundation + timor + minvws + ecall + shared

    static func row(
        _ number: Int, _ source: Source, _ text: String, _ applicability: Applicability = .directly
    ) -> Requirement {
        Requirement(number: number, source: source, applicability: applicability, text: text)
    }
}

extension Requirement {
    static let avFoundation = [
        row(41, .avFoundation, "Why an earlier design was given up: history without a behaviour", .not),
        row(42, .avFoundation, "One judgement for single checks and for watching, whichever backend shows the facts"),
        row(43, .avFoundation, "The check runs before anything is used: a gate that ends with a code"),
        row(44, .avFoundation, "Watching repeats the check every 600 seconds unless set otherwise"),
        row(45, .avFoundation, "A HEAD request may follow the handshake; its status decides nothing"),
        row(46, .avFoundation, "Windows are dates of the profile, inclusive to the second"),
        row(47, .avFoundation, "On request the window trusts any certificate of the system's, and always warns"),
        row(48, .avFoundation, "A connection that fails is another matter than one that is not to be trusted"),
        row(49, .avFoundation, "Alternates are tried when the target can't be reached, never when it fails a check"),
        row(50, .avFoundation, "A failing watch says so and can run a command", .byAnalogy),
        row(51, .avFoundation, "A watch speaks when something changes, and only then", .byAnalogy),
        row(52, .avFoundation, "Trust, TLS and Apple's demands are judged before pins", .byAnalogy),
        row(53, .avFoundation, "The forecast says when a single certificate pin can't be met any more"),
        row(54, .avFoundation, "A run makes a bounded number of connections", .byAnalogy),
    ]
}

extension Requirement {
    static let ecall = [
        row(95, .ecall, "Targets are https and wss URLs alike"),
        row(96, .ecall, "An environment without pins still trusts only what the system trusts"),
        row(97, .ecall, "Each environment has pins of its own"),
        row(98, .ecall, "Each service has pins of its own"),
        row(99, .ecall, "Hosts are taken from the services' URLs"),
        row(100, .ecall, "Pins are chosen by the exact host; a host without pins is what the profile says"),
        row(101, .ecall, "Only the first three certificates may match"),
        row(102, .ecall, "Pins are of raw keys"),
        row(103, .ecall, "No match fails"),
        row(104, .ecall, "Several pins for one service; a set without a backup is remarked on"),
    ]

    static let shared = [
        row(108, .timor, "After a pin mismatch not one byte of a request is sent")
    ]
}

extension Requirement {
    static let minvws = [
        row(81, .minvws, "Trust, certificate and signature are three verdicts"),
        row(82, .minvws, "Challenges other than for the server's trust belong to the platform's client", .not),
        row(83, .minvws, "The name is always part of the trust decision"),
        row(84, .minvws, "Trusted certificates come from files of the profile; a list from elsewhere has to be signed"),
        row(85, .minvws, "With anchors given nothing else is trusted, not even when none of them can be read"),
        row(86, .minvws, "The seed's looser reading of names is reported beside ours on request"),
        row(87, .minvws, "The names of a certificate are shown"),
        row(88, .minvws, "Two certificates are the same only in hash, serial number, key identifier and key"),
        row(89, .minvws, "Any certificate of the chain may be the expected one"),
        row(90, .minvws, "A detached signature over any content is validated"),
        row(91, .minvws, "A validator that allows everything exists for tests, and can't be reached by the command"),
        row(92, .minvws, "A bad or empty signature, or one of nobody trusted, is invalid"),
        row(93, .minvws, "Signers are held to name, certificate, common name, key identifiers and serial number"),
        row(94, .minvws, "A key identifier is taken with or without its DER header"),
        row(107, .minvws, "A caller's own validator takes the place of ours"),
    ]
}

extension Requirement {
    static let timor = [
        row(55, .timor, "A profile can demand TLS 1.3"),
        row(56, .timor, "Trust comes first: a chain that is not trusted fails whatever is pinned"),
        row(57, .timor, "Any certificate of the validated chain may match"),
        row(58, .timor, "A pin of the raw key, as Apple's security framework exports it, in lowercase hexadecimal"),
        row(59, .timor, "One set of leaf, intermediate and root pins for every host; the report names the match"),
        row(60, .timor, "No match, or no chain, fails"),
        row(61, .timor, "A certificate whose key can't be read is passed over, the search goes on"),
        row(62, .timor, "Challenges other than for the server's trust belong to the platform's client", .not),
        row(63, .timor, "The documented extraction yields an SPKI hash, and the report says what it was taken for"),
        row(64, .timor, "The forecast says how often leaf, intermediate and root change"),
        row(65, .timor, "Alternatives are as strong as their widest: the report says the effective scope"),
        row(66, .timor, "Secrets are wiped after use", .byAnalogy),
        row(67, .timor, "An empty secret file is an error", .byAnalogy),
        row(68, .timor, "There is no keychain here", .not),
        row(69, .timor, "A watch warns before certificates and pins run out", .byAnalogy),
        row(70, .timor, "There is no OAuth here", .not),
        row(71, .timor, "There is no OAuth here", .not),
        row(72, .timor, "Hosts, pins and models are read strictly and as a whole", .byAnalogy),
        row(73, .timor, "An empty or failed probe never replaces a good baseline"),
        row(74, .timor, "What differs from the baseline is probed again before it is reported", .byAnalogy),
        row(75, .timor, "Logs have hashes and host names, never credentials", .byAnalogy),
        row(76, .timor, "Logs have the categories `certificate-pinning` and `RateLimiter`", .byAnalogy),
        row(77, .timor, "Probes of one host keep a distance; failures that pass are tried again later and later"),
        row(78, .timor, "SECURITY.md says what the verdict rests on and what it does not cover", .byAnalogy),
        row(79, .timor, "Behind an intercepting proxy a profile fails"),
        row(80, .timor, "Packaging for Apple's platforms", .not),
    ]
}

extension Requirement {
    static let lutheranRadio = [
        row(1, .lutheranRadio, "A rule for a domain and its subdomains, a port other than 443, SNI of the probed name"),
        row(
            2, .lutheranRadio,
            "A pin of the leaf's whole DER: SHA-256 in uppercase hexadecimal with colons, 95 characters"),
        row(3, .lutheranRadio, "Key pins and certificate pins in layers: outside the window both must match"),
        row(
            4, .lutheranRadio, "A pin of the leaf's SubjectPublicKeyInfo in base64, two values of which either matches"),
        row(5, .lutheranRadio, "Apple's reading of subdomains: one label more, and no further", .byAnalogy),
        row(6, .lutheranRadio, "Renewal with the same key: the key pin matches, the certificate pin does not"),
        row(7, .lutheranRadio, "The published openssl pipeline prints what `probe pins` prints, byte for byte"),
        row(8, .lutheranRadio, "A validation of the certificate holds for 600 seconds"),
        row(9, .lutheranRadio, "In the window another certificate with a pinned key passes with a warning"),
        row(10, .lutheranRadio, "Before the window and after it the same certificate fails"),
        row(
            11, .lutheranRadio,
            "A window is the month before the certificate's end: other lengths and ends are remarked on"),
        row(12, .lutheranRadio, "What the window tolerates is said in the report", .byAnalogy),
        row(13, .lutheranRadio, "Clocks of client and server more than 300 seconds apart end the tolerance"),
        row(14, .lutheranRadio, "A server whose time is outside the window ends the tolerance"),
        row(15, .lutheranRadio, "Without anything unusual there is no warning", .byAnalogy),
        row(16, .lutheranRadio, "SHA-256 is the only digest of pins; SHA-1 is refused by name"),
        row(17, .lutheranRadio, "A TXT record decides whether a build's model is allowed"),
        row(18, .lutheranRadio, "The record is a list with commas, like the published one of 24 bytes"),
        row(19, .lutheranRadio, "The model that is looked for is given by the profile or the caller"),
        row(
            20, .lutheranRadio, "A model that is not listed ends the watch of it, with an exit code of its own",
            .byAnalogy),
        row(21, .lutheranRadio, "A listed model passes"),
        row(22, .lutheranRadio, "The record's strings are shown quoted, as dig shows them"),
        row(23, .lutheranRadio, "A listed model is remembered for 3600 seconds: 3599 is a hit, 3600 a miss"),
        row(24, .lutheranRadio, "What is remembered is the time of a success, never the list"),
        row(25, .lutheranRadio, "While a success is remembered nothing is asked"),
        row(26, .lutheranRadio, "Only a listed model is remembered"),
        row(27, .lutheranRadio, "A failure is never remembered: the next call asks again"),
        row(28, .lutheranRadio, "A remembered success bridges an outage of DNS"),
        row(29, .lutheranRadio, "A model taken off the list is noticed within the hour"),
        row(30, .lutheranRadio, "One injected clock decides everything that depends on time"),
        row(31, .lutheranRadio, "Uses and updates of the cache are logged for those who debug", .byAnalogy),
        row(32, .lutheranRadio, "The cache can be cleared, and left out"),
        row(33, .lutheranRadio, "A success from the future is a miss", .byAnalogy),
        row(34, .lutheranRadio, "Sizes of a list at which strings, servers or UDP stop carrying it are remarked on"),
        row(35, .lutheranRadio, "A model's name that was used before is an error in the registry"),
        row(36, .lutheranRadio, "Periods of models may overlap; a row has name, first and last day and version"),
        row(37, .lutheranRadio, "The published list is held against the ongoing rows, both ways"),
        row(38, .lutheranRadio, "A model that a build ships with has to be published before", .byAnalogy),
        row(39, .lutheranRadio, "The live key is held against the one the app ships"),
        row(40, .lutheranRadio, "Building, translating and mending the app: nothing of TLS or DNS in it", .not),
        row(105, .lutheranRadio, "Editing the record revokes shipped builds: the list is read when the check runs"),
        row(
            106, .lutheranRadio,
            "A certificate pin breaks at every renewal, a key pin only with the key: the forecast says so"),
    ]
}
