import ProbeKit
import ProbeMatch
import ProbePins
import ProbePlatform
import ProbeReport
import ProbeTrust

/// Prints what a search finds as it finds it, and its sum.
final class MatchPrinter {
    private let format: OutputFormat
    /// The file that gets the lines in place of standard output, and the search's positions.
    private let record: MatchRecord?
    private var progress = MatchProgress()
    private var (unreadable, unfinished) = (0, 0)
    /// More messages than these of each kind only hide the others.
    private static let maximumComplaints = 10

    init(format: OutputFormat, to record: MatchRecord?) {
        self.format = format
        self.record = record
    }

    private func write(_ line: some Encodable) {
        let text = JSONText.line(line)
        if let record { record.write(text) } else { Terminal.print(text) }
    }

    func print(_ event: PinSearch.Event) {
        switch event {
        case .found(let found):
            progress.found += 1
            clear()
            if format == .json { write(MatchLine(found)) } else { Terminal.print(Self.text(found)) }
        case .unreadable(let place):
            unreadable += 1
            guard unreadable <= Self.maximumComplaints else { return }
            clear()
            Terminal.printError(
                "probe: \(Self.place(place.input, place.line, place.offset)): not a certificate that can be read")
        case .unfinished(let fault):
            unfinished += 1
            guard unfinished <= Self.maximumComplaints else { return }
            clear()
            Terminal.printError("probe: \(fault.message); \(fault.remedy)")
        case .reached(let position):
            record?.write(JSONText.line(MatchPositionLine(position)))
            if let text = progress.text(at: position) { Terminal.showProgress(text) }
        }
    }

    /// Removes the line of progress.
    func clear() { Terminal.showProgress("") }

    func print(_ tally: SearchTally, of wanted: Set<Pin>) {
        clear()
        // Those decide the exit code too, and were reported by the run that searched them.
        let before = tally.unreadable - unreadable
        if before > 0, tally.matched == 0 {
            Terminal.printError(
                "probe: \(before.counted("certificate")) can't be read, as an earlier run of this search reported; search "
                    + "anew, without --resume, to see where")
        }
        guard format == .text else {
            for (pin, sightings) in tally.pins.sorted(by: { $0.key.description < $1.key.description }) {
                write(MatchedPinLine(pin, sightings))
            }
            write(MatchSummary(tally, wanted: wanted.count))
            return
        }
        let certificates = tally.certificates.counted("certificate")
        Terminal.print(
            "\(tally.matched) of \(certificates) in \(tally.inputs.counted("file")) "
                + "\(tally.matched == 1 ? "has" : "have") \(wanted.count == 1 ? "the pin" : "one of \(wanted.count) pins")"
                + (tally.unreadable == 0 ? "" : ", \(tally.unreadable) can't be read")
                + (tally.unfinished == 0
                    ? "" : ", and \(tally.unfinished.counted("input")) could not be searched to the end"))
        for (pin, sightings) in tally.pins.sorted(by: { $0.key.description < $1.key.description })
        where tally.matched > 1 {
            Terminal.print("  \(pin)  \(sightings.count.counted("certificate"))" + Self.span(sightings))
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

}

/// The line of progress of a search.
private struct MatchProgress {
    var found = 0
    private var before = 0
    private let began = ContinuousClock.now
    private var shown = ContinuousClock.now

    /// Returns the line for a position; nil when it was written a moment ago.
    mutating func text(at position: SearchPosition, now: ContinuousClock.Instant = .now) -> String? {
        let certificates = before + position.certificates
        if position.state != .open { before = certificates }
        guard Terminal.canShowProgress, shown.duration(to: now) >= .milliseconds(100) else { return nil }
        shown = now
        let seconds = began.duration(to: now).inSeconds
        let rate = seconds > 0 ? Int(Double(certificates) / seconds) : 0
        return "\(certificates) certificates · \(found) found · \(rate)/s · \(PrintableText.escape(position.input))"
    }
}
