import ProbeKit
import ProbePins

/// The headers of RFC 7469, whole or only their `pin-sha256` directives; also the lines that gnutls-cli prints.
enum HPKPFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        let lines = input.sniffedLines.map { $0.lowercased() }
        return lines.contains { $0.hasPrefix("public-key-pins") }
            || !lines.isEmpty && lines.allSatisfy { $0.hasPrefix("pin-sha256") }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        var headers: [HPKPHeader] = []
        var known: [Set<PinSet.Member>] = []
        var notes: [FormatNote] = []
        for line in try input.lines() {
            guard let header = try HPKPHeader.read(line, input, &notes) else { continue }
            // Of several headers of one name, clients process the first (RFC 7469 section 2.3.1).
            let index = headers.firstIndex { $0.isReportOnly == header.isReportOnly }
            guard let index else {
                headers.append(header)
                known.append(Set(header.members))
                continue
            }
            guard !header.isNamed else {
                notes.append(.warning("second-header", "line \(line.number): a second header is not processed"))
                continue
            }
            headers[index].members += header.members.filter { known[index].insert($0).inserted }
            if header.includesSubdomains { headers[index].includesSubdomains = true }
        }
        let sets = headers.map { PinSet($0.members, position: .any, isEnforced: !$0.isReportOnly) }
        for header in headers where header.isNamed && Set(header.members.map(\.pin)).count < 2 {
            notes.append(withoutBackup(header))
        }
        var profile = try input.profile(of: sets)
        if headers.contains(where: \.includesSubdomains) {
            if profile.hosts.isEmpty {
                notes.append(
                    .warning(
                        "subdomains",
                        "includeSubDomains is of the host that sends the header: unless it is named, this gets lost",
                        fix: "\(Fix.Step.nameHost("HOST"))"))
            } else if widensReport(headers) {
                notes.append(
                    .note(
                        "subdomains",
                        "the pins that are only reported are for the host alone; they are read for all names below it too, as those that are enforced are",
                        fix: FormatNote.nothingToDo))
            }
            profile.hosts = profile.hosts.flatMap { rules($0, of: headers) }
        }
        return Imported(profile: profile, notes: notes)
    }

    /// Returns the rules for the host of some headers. `includeSubDomains` is of the header that has it (RFC 7469 section
    /// 2.1.3): the pins of another one are for the host alone, unless ``widensReport(_:)``.
    ///
    /// - Parameter rule: a rule with a set for each header, in their order.
    private static func rules(_ rule: HostRule, of headers: [HPKPHeader]) -> [HostRule] {
        let isWidened = widensReport(headers)
        let sets = zip(headers, rule.pins).map { header, set in
            (isWide: header.includesSubdomains || isWidened, set: set)
        }
        var (own, wide) = (rule, rule)
        own.pins = sets.filter { !$0.isWide }.map(\.set)
        wide.pins = sets.filter(\.isWide).map(\.set)
        (wide.semantics, wide.includesSubdomains) = (.android, true)
        return [own, wide].filter { !$0.pins.isEmpty }
    }

    /// Returns true if the pins for the host alone are only reported, and those for the names below it are enforced. The
    /// formats that list a name once would keep one of two rules; in one rule nothing that is enforced gets lost.
    private static func widensReport(_ headers: [HPKPHeader]) -> Bool {
        headers.contains { !$0.isReportOnly && $0.includesSubdomains }
            && headers.contains { $0.isReportOnly && !$0.includesSubdomains }
    }

    /// The code of the note about a header with one pin.
    static let backupMissing = "no-backup"

    /// The fix of an enforced header with one pin.
    static let addBackup: Fix = "add the pin of a backup key"

    /// Browsers note the pins of an enforced header only with one of a key that is not in the chain (RFC 7469 section 2.5);
    /// those that are only reported are not noted.
    private static func withoutBackup(_ header: HPKPHeader) -> FormatNote {
        header.isReportOnly
            ? .note(backupMissing, "it has one pin: browsers wanted a second, of a key not in the chain")
            : .warning(
                backupMissing,
                "the header has one pin: browsers want a second, of a key not in the chain, and pin nothing without it",
                fix: addBackup)
    }
}

/// Writes a `Public-Key-Pins` header, one `-Report-Only` for pins that are only reported, or both.
extension HPKPFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), sets: .oneForEachEnforcement, hosts: .none,
        unnamedReaches: [.itself, .everything], reports: true)

    /// Sixty days, as RFC 7469 section 4.1 suggests.
    private static let maximumAge = 5_184_000

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            for set in host.sets {
                if set.isEnforced, Set(set.members.map(\.pin)).count < 2 {
                    losses.append(
                        FormatLoss(
                            "too-few-pins", host.label,
                            "browsers pin nothing by a header with one pin (RFC 7469 section 2.5): add a backup"))
                }
                text += set.isEnforced ? "Public-Key-Pins: " : "Public-Key-Pins-Report-Only: "
                text += set.members.map { "pin-sha256=\"\($0.pin.digest.base64)\"; " }.joined()
                text += "max-age=\(maximumAge)"
                text += host.name == nil || host.reach == .itself ? "\n" : "; includeSubDomains\n"
            }
        }
        return Array(text.utf8)
    }
}
