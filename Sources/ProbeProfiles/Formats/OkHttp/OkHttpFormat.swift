import ProbeKit
import ProbePins

/// OkHttp's pins: lines `PATTERN sha256/BASE64 …`, or the `.add("PATTERN", "sha256/BASE64", …)` of Kotlin and Java source.
enum OkHttpFormat: FormatReader {
    /// All pins of one pattern, with the line of the first.
    private struct PatternSet {
        let pattern: String?
        let line: Int
        var members: [PinSet.Member] = []
    }

    static func recognises(_ input: FormatInput) -> Bool {
        isLines(input) || isCode(input)
    }

    /// Returns true for code that names the pinner, or calls a method `add` and has a pin.
    private static func isCode(_ input: FormatInput) -> Bool {
        let pinner = "CertificatePinner"
        return input.isCode(in: .kotlinOrJava) {
            $0.contains(pinner) || $0.contains("\"sha256/") && $0.contains("add")
        } byTokens: { tokens in
            tokens.contains { $0.word?.contains(pinner) == true }
                || tokens.contains { $0.word == "add" } && tokens.contains { $0.textBegins(with: "sha256/") }
        }
    }

    private static func isLines(_ input: FormatInput) -> Bool {
        input.allLines { line in
            guard let pin = line.split(whereSeparator: \.isWhitespace).last else { return false }
            return isPin(pin)
        }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let entries = try isSource(input) ? try OkHttpSource.entries(input) : try lines(input)
        var notes: [FormatNote] = []
        var sets: [PatternSet] = []
        var indices: [String?: Int] = [:]
        var known: [Set<PinDigest>] = []
        for entry in entries {
            let index = indices[entry.pattern] ?? sets.count
            if index == sets.count {
                indices[entry.pattern] = index
                sets.append(PatternSet(pattern: entry.pattern, line: entry.line))
                known.append([])
            }
            for text in entry.pins {
                guard let pin = try pin(text, entry, input, &notes), known[index].insert(pin.digest).inserted else {
                    continue
                }
                sets[index].members.append(PinSet.Member(pin))
            }
        }
        for set in sets where set.members.isEmpty {
            throw input.refuse(
                "has no SHA-256 pin for \(set.pattern ?? "its hosts")", line: set.line,
                remedy: "make new ones with 'probe pins'")
        }
        return Imported(profile: try profile(sets, input, &notes), notes: notes)
    }

    /// Returns true if a text is source code, and not lines of pins: the base64 of a pin may have any of these words in it.
    private static func isSource(_ input: FormatInput) throws(InputError) -> Bool {
        let text = try input.requiredText()
        return !isLines(input)
            && ["CertificatePinner", "add(", "add (", "Pin(", "\"sha256/", "\"sha1/"].contains { text.contains($0) }
    }

    /// - Returns: nil, with a warning, for a pin of SHA-1.
    private static func pin(
        _ text: String, _ entry: OkHttpEntry, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) -> Pin? {
        guard !text.hasPrefix("sha1/") else {
            notes.append(.warning("sha1", "line \(entry.line): \(text) is a SHA-1 pin, and is left out"))
            return nil
        }
        guard text.hasPrefix("sha256/") else {
            throw input.refuse(
                "has '\(text)', which is not a pin of OkHttp", line: entry.line, remedy: "write sha256/BASE64")
        }
        let base64 = String(text.dropFirst(7))
        let read = LenientBase64.okio(base64)
        if let read, read != base64 {
            notes.append(
                .note(
                    "base64", "line \(entry.line): '\(text)' is not standard base64; OkHttp reads it as sha256/\(read)")
            )
        }
        return try input.at(entry.line) { () throws(InputError) in try PinText.pin(.spki, base64: read ?? base64) }
    }

    /// Returns true if a word is one of OkHttp's pins, and not one of curl's.
    static func isPin(_ word: some StringProtocol) -> Bool {
        word.hasPrefix("sha1/") || PinText.isOkHttp(word)
    }

    private static func profile(
        _ sets: [PatternSet], _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) -> Profile {
        guard !sets.isEmpty else { throw input.refuse("has no pins", remedy: "give lines PATTERN sha256/BASE64") }
        var profile = Profile(unlistedHost: .system)
        for entry in sets {
            let set = PinSet(entry.members, position: .any)
            guard let pattern = entry.pattern ?? input.context.host?.description else {
                profile.pins = [set]
                continue
            }
            guard !pattern.hasSuffix(".") else {
                notes.append(
                    .warning(
                        "never-matches",
                        "line \(entry.line): '\(pattern)' ends with a dot, which OkHttp keeps and hosts lack: it never matches; take the dot out"
                    ))
                continue
            }
            profile.hosts.append(
                try input.at(entry.line) { () throws(InputError) in
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

/// Writes one line `PATTERN sha256/BASE64` for each pin, the two arguments of `CertificatePinner.Builder.add`.
extension OkHttpFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.spki], positions: .fixed(.any),
        hosts: .names([.itself, .children, .selfAndChildren, .everything], repeats: true),
        unlistedHost: .system, overlap: .okhttp)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            for pattern in patterns(host) {
                for member in host.sets.first?.members ?? [] {
                    text += "\(pattern) sha256/\(member.pin.digest.base64)\n"
                }
            }
        }
        return Array(text.utf8)
    }

    private static func patterns(_ host: PinnedHost) -> [String] {
        guard let name = host.name else { return [] }
        switch host.reach {
        case .itself: return [name]
        case .children: return ["*.\(name)"]
        case .selfAndChildren: return [name, "*.\(name)"]
        case .everything: return ["**.\(name)"]
        }
    }
}
