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

/// One header, or directives without one.
struct HPKPHeader {
    var members: [PinSet.Member] = []
    var isReportOnly = false
    var includesSubdomains = false
    /// True if the line had a header's name.
    var isNamed = false
    /// True if it had a max-age.
    private var hasAge = false

    /// - Returns: nil for a line that is neither of the headers nor a pin.
    static func read(
        _ line: FormatLine, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) -> HPKPHeader? {
        var header = HPKPHeader()
        var text = line.text[...]
        let name = text.prefix { $0 != ":" }.lowercased()
        if ["public-key-pins", "public-key-pins-report-only"].contains(name) {
            header.isNamed = true
            header.isReportOnly = name.hasSuffix("-report-only")
            text = text.dropFirst(name.count + 1)
        } else if !name.hasPrefix("pin-") {
            notes.append(.note("passed-over", "line \(line.number) says nothing of pins"))
            return nil
        }
        for directive in directives(text) { try header.add(directive, line.number, input, &notes) }
        guard !header.members.isEmpty else {
            throw input.refuse("has no pin-sha256", line: line.number, remedy: "give a header that pins something")
        }
        // Clients pass over a header without the directive (RFC 7469 section 2.1.2).
        guard header.hasAge || !header.isNamed || header.isReportOnly else {
            throw input.refuse(
                "has no max-age, without which clients pass over the header", line: line.number,
                remedy: "write how long the pins count, like max-age=5184000")
        }
        return header
    }

    private mutating func add(
        _ text: String, _ line: Int, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) {
        let parts = text.split(maxSplits: 1) { $0 == "=" || $0 == ":" && !text.contains("=\"") }
        let name = parts.first.map { $0.trimmed.lowercased() } ?? ""
        var value = parts.count > 1 ? parts[1].trimmed : ""
        if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
            value = String(value.dropFirst().dropLast())
        }
        switch name {
        case "pin-sha256":
            let pin = try input.at(line) { () throws(InputError) in try PinText.pin(.spki, base64: value) }
            members.append(PinSet.Member(pin))
        case "includesubdomains": includesSubdomains = true
        case "max-age":
            guard let seconds = Int(decimal: value) else {
                throw input.refuse("has the max-age '\(value)'", line: line, remedy: "write a number of seconds")
            }
            guard seconds > 0 || isReportOnly else {
                throw input.refuse(
                    "has max-age=0, which takes the pins away", line: line, remedy: "give a header that pins something")
            }
            hasAge = true
            notes.append(
                .note("max-age", "line \(line): max-age counts from each answer, and is not a day: it is not kept"))
        case "report-uri": notes.append(.note("report-uri", "line \(line): where reports go is not kept"))
        case let name where name.hasPrefix("pin-"):
            notes.append(
                .warning("unknown-pin", "line \(line): '\(name)' is not a digest that clients know; it is left out"))
        default: notes.append(.note("unknown-directive", "line \(line): '\(name)' is not known"))
        }
    }

    /// Returns the parts between semicolons that are not in quotes.
    private static func directives(_ text: Substring) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts.map { $0.trimmed }.filter { !$0.isEmpty }
    }
}
