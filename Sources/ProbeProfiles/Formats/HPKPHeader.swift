import ProbeKit
import ProbePins

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
            notes.append(.note("passed-over", "line \(line.number) is not a header with pins"))
            return nil
        }
        let directives = header.directives(text)
        try header.check(directives, line.number, input, &notes)
        for directive in directives where !directive.name.isEmpty {
            try header.add(directive, line.number, input, &notes)
        }
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

    private func directives(_ text: Substring) -> [HPKPDirective] {
        HPKPDirective.parts(of: text).map { part in
            // gnutls-cli prints a colon.
            HPKPDirective(part, separator: isNamed ? "=" : part.first { $0 == "=" || $0 == ":" } ?? "=")
        }
    }

    /// Refuses directives for which clients ignore all of a header, since they must not try to fix one that is malformed (RFC
    /// 7469 section 2.1). Lines without a header's name are only pins.
    private func check(
        _ directives: [HPKPDirective], _ line: Int, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) {
        guard isNamed else { return }
        var seen: Set<String> = []
        for directive in directives where !directive.name.isEmpty || directive.hasValue {
            let isRepeated = !directive.name.hasPrefix("pin-") && !seen.insert(directive.name).inserted
            guard let fault = directive.fault(isRepeated: isRepeated) else { continue }
            throw input.refuse(
                "has \(fault.reason), for which clients pass over the header", line: line, remedy: fault.remedy)
        }
        if directives.contains(where: { $0.hasBlanks || $0.name.isEmpty }) {
            notes.append(
                .warning(
                    "grammar",
                    "line \(line): it has a blank beside '=' or nothing beside ';', and clients may pass over the header for that"
                ))
        }
    }

    private mutating func add(
        _ directive: HPKPDirective, _ line: Int, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) {
        let value = directive.value
        switch directive.name {
        case "pin-sha256":
            let pin = try input.at(line) { () throws(InputError) in try PinText.pin(.spki, base64: value) }
            members.append(PinSet.Member(pin))
        case "includesubdomains": includesSubdomains = true
        case "max-age":
            guard !value.isEmpty, value.allSatisfy({ $0.isASCII && $0.isNumber }) else {
                throw input.refuse("has the max-age '\(value)'", line: line, remedy: "write a number of seconds")
            }
            guard value.contains(where: { $0 != "0" }) || isReportOnly else {
                throw input.refuse(
                    "has max-age=0, which takes the pins away", line: line, remedy: "give a header that pins something")
            }
            hasAge = true
            notes.append(
                .note(
                    "max-age", "line \(line): max-age counts from each answer, and is not a day: it is not kept",
                    fix: FormatNote.nothingToDo))
        case "report-uri":
            notes.append(
                .note("report-uri", "line \(line): where reports go is not kept", fix: FormatNote.nothingToDo))
        case let name where name.hasPrefix("pin-"):
            notes.append(
                .warning("unknown-pin", "line \(line): '\(name)' is not a digest that clients know; it is left out"))
        case let name: notes.append(.note("unknown-directive", "line \(line): '\(name)' is not known"))
        }
    }
}
