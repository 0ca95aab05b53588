import ProbeKit

/// OkHttp's pins: lines `PATTERN sha256/BASE64 …`, or the `.add("PATTERN", "sha256/BASE64", …)` of Kotlin and Java source.
enum OkHttpReader: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        guard let text = input.text else { return false }
        if text.contains("CertificatePinner") || text.contains(".add(\"") && text.contains("\"sha256/") { return true }
        return input.allLines { line in
            guard let pin = line.split(whereSeparator: \.isWhitespace).last else { return false }
            return isPin(pin)
        }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let text = try input.requiredText()
        let entries = text.contains(".add(") ? try OkHttpSource.entries(input) : try lines(input)
        var notes: [FormatNote] = []
        var sets: [(pattern: String?, members: [PinSet.Member])] = []
        for entry in entries {
            var members: [PinSet.Member] = []
            for pin in entry.pins {
                guard !pin.hasPrefix("sha1/") else {
                    notes.append(.warning("sha1", "line \(entry.line): \(pin) is a SHA-1 pin, and is left out"))
                    continue
                }
                guard pin.hasPrefix("sha256/") else {
                    throw input.refuse(
                        "has '\(pin)', which is no pin of OkHttp", line: entry.line, remedy: "write sha256/BASE64")
                }
                members.append(
                    PinSet.Member(
                        try input.at(entry.line) { () throws(InputError) in
                            try PinText.pin(.spki, base64: String(pin.dropFirst(7)))
                        }))
            }
            if let index = sets.firstIndex(where: { $0.pattern == entry.pattern }) {
                sets[index].members += members.filter { !sets[index].members.contains($0) }
            } else {
                sets.append((entry.pattern, members))
            }
        }
        for set in sets where set.members.isEmpty {
            throw input.refuse(
                "has no SHA-256 pin for \(set.pattern ?? "its hosts")", remedy: "make new ones with 'probe pins'")
        }
        return Imported(profile: try profile(sets, input, &notes), notes: notes)
    }

    /// Whether a word is one of OkHttp's pins, and not one of curl's.
    static func isPin(_ word: some StringProtocol) -> Bool {
        word.hasPrefix("sha1/") || word.hasPrefix("sha256/") && !word.hasPrefix("sha256//")
    }

    private static func profile(
        _ sets: [(pattern: String?, members: [PinSet.Member])], _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) -> Profile {
        guard !sets.isEmpty else { throw input.refuse("has no pins", remedy: "give lines PATTERN sha256/BASE64") }
        var profile = Profile(unlistedHost: .system)
        for (pattern, members) in sets {
            let set = PinSet(members, position: .any)
            guard let pattern = pattern ?? input.context.host?.description else {
                profile.pins = [set]
                continue
            }
            profile.hosts.append(
                try input.at { () throws(InputError) in
                    try HostRule(pattern: pattern, semantics: .okhttp, pins: [set])
                })
        }
        return profile
    }

    private static func lines(_ input: FormatInput) throws(InputError) -> [OkHttpEntry] {
        var entries: [OkHttpEntry] = []
        for line in try input.lines(comment: ["#", "//"]) {
            var words = line.text.split { $0.isWhitespace || $0 == "," }.map(String.init)
            let pattern = words.first.flatMap { isPin($0) ? nil : $0 }
            if pattern != nil { words.removeFirst() }
            guard !words.isEmpty else {
                throw input.refuse("has no pin", line: line.number, remedy: "write PATTERN sha256/BASE64")
            }
            entries.append(OkHttpEntry(pattern: pattern, pins: words, line: line.number))
        }
        return entries
    }
}

/// One pattern with its pins.
struct OkHttpEntry {
    let pattern: String?
    let pins: [String]
    let line: Int
}
