import ProbeKit
import ProbeMatch
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeTrust

/// The first line of a file that a search can be continued from, as JSON.
struct MatchSearchLine: Codable {
    var schema = "probe-match/1"
    var kind = "search"
    var version = ProbeVersion.current
    /// The inputs as they were given.
    let searched: [String]
    /// SHA-256 of the pins' texts, sorted, a line each.
    let pinsSHA256: String

    init(_ inputs: [String], for pins: Set<Pin>) {
        searched = inputs
        let text = pins.map { "\($0)\n" }.sorted().joined()
        pinsSHA256 = PinDigest.sha256(of: Array(text.utf8)).hex
    }
}

/// A point from which a search can go on, as JSON; all that was found before it stands before it.
struct MatchPositionLine: Codable {
    var schema = "probe-match/1"
    var kind = "position"
    let input: String
    let certificates: Int
    let unreadable: Int
    let line: Int
    let offset: Int
    let state: SearchPosition.State

    init(_ position: SearchPosition) {
        input = position.input
        certificates = position.certificates
        unreadable = position.unreadable
        line = position.line
        offset = position.offset
        state = position.state
    }
}

extension SearchPosition {
    init(_ line: MatchPositionLine) {
        self.init(
            input: line.input, certificates: line.certificates, unreadable: line.unreadable, line: line.line,
            offset: line.offset, state: line.state)
    }
}

/// A certificate that has a pin, as JSON.
struct MatchLine: Encodable {
    let schema = "probe-match/1"
    let kind = "certificate"
    let input: String
    let number: Int
    @Always var line: Int?
    @Always var offset: Int?
    @Always var path: String?
    @Always var seen: String?
    @Always var subject: String?
    @Always var certSHA256: String?
    @Always var spkiSHA256: String?
    @Always var rawKeySHA256: String?
    let pins: [String]

    /// The most bytes of a text that whoever made the certificate or the input chose. JSON writes a control character with six:
    /// a line stays within what ``ContinuedFile`` reads back.
    private static let maximumText = 1 << 20

    private static func bounded(_ text: String) -> String {
        guard text.utf8.count > maximumText else { return text }
        return String(decoding: text.utf8.prefix(maximumText), as: UTF8.self) + "…"
    }

    init(_ found: FoundCertificate) {
        input = found.input
        number = found.number
        _line = Always(wrappedValue: found.line)
        _offset = Always(wrappedValue: found.offset)
        _path = Always(wrappedValue: found.path.map(Self.bounded))
        _seen = Always(wrappedValue: found.seen.map(RFC3339.format))
        let details = found.certificate.flatMap { try? CertificateDetails(certificate: $0) }
        _subject = Always(wrappedValue: details.map { Self.bounded($0.subject) })
        let digests = found.certificate.flatMap {
            try? CertificateDigests(certificate: $0.span, digester: SwiftCryptoDigester())
        }
        func told(_ kind: PinKind) -> String? { found.pins.first { $0.kind == kind }?.digest.hex }
        _certSHA256 = Always(wrappedValue: digests?.cert.hex ?? told(.cert))
        _spkiSHA256 = Always(wrappedValue: digests?.spki.hex ?? told(.spki))
        _rawKeySHA256 = Always(wrappedValue: digests?.rawKey.hex ?? told(.rawkey))
        pins = found.pins.map(\.description)
    }
}

/// A pin that was found, as JSON.
struct MatchedPinLine: Encodable {
    struct Place: Encodable {
        let input: String
        let number: Int

        init(_ found: FoundCertificate) {
            (input, number) = (found.input, found.number)
        }
    }

    let schema = "probe-match/1"
    let kind = "pin"
    let pin: String
    let certificates: Int
    let first: Place
    let last: Place
    @Always var firstSeen: String?
    @Always var lastSeen: String?

    init(_ pin: Pin, _ sightings: SearchTally.Sightings) {
        self.pin = pin.description
        certificates = sightings.count
        first = Place(sightings.first)
        last = Place(sightings.last)
        _firstSeen = Always(wrappedValue: sightings.firstSeen.map(RFC3339.format))
        _lastSeen = Always(wrappedValue: sightings.lastSeen.map(RFC3339.format))
    }
}

/// The last line of a search, as JSON.
struct MatchSummary: Encodable {
    let schema = "probe-match/1"
    let kind = "summary"
    let version = ProbeVersion.current
    let inputs: Int
    let passedOver: Int
    let unfinished: Int
    let certificates: Int
    let matched: Int
    let unreadable: Int
    let pins: Int
    let pinsFound: Int

    init(_ tally: SearchTally, wanted: Int) {
        inputs = tally.inputs
        passedOver = tally.passedOver
        unfinished = tally.unfinished
        certificates = tally.certificates
        matched = tally.matched
        unreadable = tally.unreadable
        pins = wanted
        pinsFound = tally.pins.count
    }
}
