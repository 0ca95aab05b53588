import ProbeKit
import ProbeMatch
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeTrust

/// Prints what a search finds as it finds it, and its sum.
final class MatchPrinter {
    private let format: OutputFormat
    private var unreadable = 0
    /// More messages than these about broken certificates only hide the others.
    private static let maximumComplaints = 10

    init(format: OutputFormat) {
        self.format = format
    }

    func print(_ event: PinSearch.Event) {
        switch event {
        case .found(let found):
            clear()
            switch format {
            case .json: Terminal.print(JSONText.line(MatchLine(found)))
            default: Terminal.print(Self.text(found))
            }
        case .unreadable(let place):
            unreadable += 1
            guard unreadable <= Self.maximumComplaints else { return }
            clear()
            Terminal.printError(
                "probe: \(Self.place(place.input, place.line, place.offset)): not a certificate that can be read")
        }
    }

    /// Removes the line of progress.
    func clear() { Terminal.showProgress("") }

    func print(_ tally: SearchTally, of wanted: Set<Pin>) {
        clear()
        guard format == .text else {
            for (pin, sightings) in tally.pins.sorted(by: { $0.key.description < $1.key.description }) {
                Terminal.print(JSONText.line(MatchedPinLine(pin, sightings)))
            }
            Terminal.print(JSONText.line(MatchSummary(tally, wanted: wanted.count)))
            return
        }
        let certificates = Self.count(tally.certificates, "certificate")
        Terminal.print(
            "\(tally.matched) of \(certificates) in \(Self.count(tally.inputs, "file")) "
                + "\(tally.matched == 1 ? "has" : "have") \(wanted.count == 1 ? "the pin" : "one of \(wanted.count) pins")"
                + (tally.unreadable == 0 ? "" : ", \(tally.unreadable) can't be read"))
        for (pin, sightings) in tally.pins.sorted(by: { $0.key.description < $1.key.description })
        where tally.matched > 1 {
            Terminal.print("  \(pin)  \(Self.count(sightings.count, "certificate"))" + Self.span(sightings))
        }
        let missing = wanted.filter { tally.pins[$0] == nil }
        if !missing.isEmpty, missing.count <= 20 {
            for pin in missing.map(\.description).sorted() { Terminal.print("  \(pin)  not found") }
        } else if !missing.isEmpty {
            Terminal.print("  \(missing.count) pins were not found")
        }
    }

    private static func text(_ found: FoundCertificate) -> String {
        let subject = found.certificate.flatMap { try? CertificateDetails(certificate: $0).subject }
        let path = found.path.map { " \($0)" } ?? ""
        let head = "\(place(found.input, found.line, found.offset))\(path)  \(subject.map { "'\($0)'" } ?? "a digest")"
        return ([head] + found.pins.map { "  \($0)" }).joined(separator: "\n")
    }

    private static func place(_ input: String, _ line: Int?, _ offset: Int?) -> String {
        let name = input == "-" ? "standard input" : PrintableText.escape(input)
        return line.map { "\(name):\($0)" } ?? offset.map { "\(name) at byte \($0)" } ?? name
    }

    private static func span(_ sightings: SearchTally.Sightings) -> String {
        guard let first = sightings.firstSeen, let last = sightings.lastSeen else { return "" }
        return ", seen from \(RFC3339.format(first)) to \(RFC3339.format(last))"
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

/// A certificate that has a pin, as JSON.
private struct MatchLine: Encodable {
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

    init(_ found: FoundCertificate) {
        input = found.input
        number = found.number
        _line = Always(wrappedValue: found.line)
        _offset = Always(wrappedValue: found.offset)
        _path = Always(wrappedValue: found.path)
        _seen = Always(wrappedValue: found.seen.map(RFC3339.format))
        let details = found.certificate.flatMap { try? CertificateDetails(certificate: $0) }
        _subject = Always(wrappedValue: details?.subject)
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
private struct MatchedPinLine: Encodable {
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
private struct MatchSummary: Encodable {
    let schema = "probe-match/1"
    let kind = "summary"
    let version = ProbeVersion.current
    let inputs: Int
    let passedOver: Int
    let certificates: Int
    let matched: Int
    let unreadable: Int
    let pins: Int
    let pinsFound: Int

    init(_ tally: SearchTally, wanted: Int) {
        inputs = tally.inputs
        passedOver = tally.passedOver
        certificates = tally.certificates
        matched = tally.matched
        unreadable = tally.unreadable
        pins = wanted
        pinsFound = tally.pins.count
    }
}
