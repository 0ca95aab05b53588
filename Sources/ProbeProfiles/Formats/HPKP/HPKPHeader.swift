import ProbeKit

/// One header, or directives without one.
struct HPKPHeader {
    var members: [PinSet.Member] = []
    var isReportOnly = false
    var includesSubdomains = false
    /// True if the line had a header's name.
    var isNamed = false

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
            guard let seconds = Int(value), seconds >= 0 else {
                throw input.refuse("has the max-age '\(value)'", line: line, remedy: "write a number of seconds")
            }
            guard seconds > 0 || isReportOnly else {
                throw input.refuse(
                    "has max-age=0, which takes the pins away", line: line, remedy: "give a header that pins something")
            }
            notes.append(
                .note("max-age", "line \(line): max-age counts from each answer, and is no day: it is not kept"))
        case "report-uri": notes.append(.note("report-uri", "line \(line): where reports go is not kept"))
        case let name where name.hasPrefix("pin-"):
            notes.append(
                .warning("unknown-pin", "line \(line): '\(name)' is no digest that clients know; it is left out"))
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
