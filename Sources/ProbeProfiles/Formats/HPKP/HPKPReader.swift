import ProbeKit

/// The headers of RFC 7469, whole or only their `pin-sha256` directives; also the lines that gnutls-cli prints.
enum HPKPReader: FormatReader {
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
