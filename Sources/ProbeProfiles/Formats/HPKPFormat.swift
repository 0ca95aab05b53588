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
        }
        let sets = headers.map { PinSet($0.members, position: .any, isEnforced: !$0.isReportOnly) }
        for header in headers where header.isNamed && Set(header.members.map(\.pin)).count < 2 {
            notes.append(.note("no-backup", "it has one pin: browsers wanted a second, of a key not in the chain"))
        }
        var profile = try input.profile(of: sets)
        if headers.contains(where: \.includesSubdomains) {
            if profile.hosts.isEmpty {
                notes.append(
                    .warning(
                        "subdomains",
                        "includeSubDomains is of the host that sends the header: unless it is named, this gets lost",
                        fix: "\(Fix.Step.nameHost("HOST"))"))
            }
            for index in profile.hosts.indices {
                profile.hosts[index].semantics = .android
                profile.hosts[index].includesSubdomains = true
            }
        }
        return Imported(profile: profile, notes: notes)
    }
}

/// Writes a `Public-Key-Pins` header, one `-Report-Only` for pins that are only reported, or both.
extension HPKPFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any), sets: .oneForEachEnforcement, hosts: .none, reports: true)

    /// Sixty days, as RFC 7469 section 4.1 suggests.
    private static let maximumAge = 5_184_000

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            if host.name != nil, [.children, .selfAndChildren].contains(host.reach) {
                losses.append(
                    FormatLoss(
                        "subdomains", host.label,
                        "the pins are for \(host.reach.rawValue); written, for the host and all names below"))
            }
            for set in host.sets {
                text += set.isEnforced ? "Public-Key-Pins: " : "Public-Key-Pins-Report-Only: "
                text += set.members.map { "pin-sha256=\"\($0.pin.digest.base64)\"; " }.joined()
                text += "max-age=\(maximumAge)"
                text += host.name == nil || host.reach == .itself ? "\n" : "; includeSubDomains\n"
            }
        }
        return Array(text.utf8)
    }
}
