public import ProbeKit
public import ProbePlatform

/// A certificate that has one of the pins, and where it was found.
public struct FoundCertificate: Sendable {
    /// The input as it was named, or the file below a folder; `-` is standard input.
    public let input: String
    /// The number of the certificate in its input, from 1, in the order in which they stand there.
    public let number: Int
    /// The line where it begins; nil in an input without lines.
    public let line: Int?
    /// The offset of its first byte in the unpacked input; nil in an input with lines.
    public let offset: Int?
    /// The value within a line of JSON, or the part of a log's entry, like `entries[3].chain[0]`.
    public let path: String?
    /// The time at which a log or a scan saw it, if it gives one.
    public let seen: Date?
    /// The pins that it has, in the order spki, rawkey, cert.
    public let pins: [Pin]
    /// Its DER; nil if the input has only its digests.
    public let certificate: [UInt8]?

    /// Creates a find, as an earlier search reported it.
    public init(
        input: String, number: Int, line: Int?, offset: Int?, path: String?, seen: Date?, pins: [Pin],
        certificate: [UInt8]?
    ) {
        self.input = input
        self.number = number
        self.line = line
        self.offset = offset
        self.path = path
        self.seen = seen
        self.pins = pins
        self.certificate = certificate
    }
}

/// Something that should have been a certificate and can't be read as one.
public struct UnreadableInput: Sendable {
    /// The input.
    public let input: String
    /// The line where it begins, if the input has lines.
    public let line: Int?
    /// The offset of its first byte, if the input has none.
    public let offset: Int?
}

/// The counts of a search.
public struct SearchTally: Sendable {
    /// The number of inputs that were read to their end.
    public internal(set) var inputs = 0
    /// The number of inputs, and of files and folders below them, that could not be searched to their end.
    public internal(set) var unfinished = 0
    /// The files of folders that have no certificates, by their form.
    public internal(set) var passedOver = 0
    /// The number of certificates, those included that an input has only the digests of.
    public internal(set) var certificates = 0
    /// The number of them that have a pin.
    public internal(set) var matched = 0
    /// The number of those that can't be read.
    public internal(set) var unreadable = 0
    /// The sightings of each pin that was found.
    public internal(set) var pins: [Pin: Sightings] = [:]

    /// The certificates that have one pin.
    public struct Sightings: Sendable {
        /// Their number.
        public internal(set) var count = 0
        /// The first, in the order of the inputs.
        public let first: FoundCertificate
        /// The last.
        public internal(set) var last: FoundCertificate
        /// The earliest time at which a log or a scan saw one of them.
        public internal(set) var firstSeen: Date?
        /// The latest.
        public internal(set) var lastSeen: Date?
    }

    /// Adds an input that was searched to its end.
    mutating func finish(_ position: SearchPosition) {
        inputs += 1
        add(position)
    }

    /// Adds an input that could be searched up to a position only.
    mutating func leave(_ position: SearchPosition) {
        unfinished += 1
        add(position)
    }

    private mutating func add(_ position: SearchPosition) {
        certificates += position.certificates
        unreadable += position.unreadable
    }

    mutating func add(_ found: FoundCertificate) {
        matched += 1
        for pin in found.pins {
            var sightings = pins[pin] ?? Sightings(first: found, last: found)
            sightings.count += 1
            sightings.last = found
            if let seen = found.seen {
                sightings.firstSeen = min(sightings.firstSeen ?? seen, seen)
                sightings.lastSeen = max(sightings.lastSeen ?? seen, seen)
            }
            pins[pin] = sightings
        }
    }
}
