import ProbeKit
import ProbePins

/// TLSA records. Each owner becomes a service, for the name has a port; records alone are pins of the caller's host.
enum TLSAFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        let records = input.sniffedLines.map { $0.split(whereSeparator: \.isWhitespace) }
        // An owner may be another name of the records' own.
        let hasOwner = records.contains { $0.first?.hasPrefix("_") ?? false }
        return hasOwner && records.contains { $0.contains(where: isType) }
            || !records.isEmpty && records.allSatisfy(isData)
    }

    private static func isType(_ word: Substring) -> Bool {
        word.utf8.count <= 6 && ["TLSA", "TYPE52"].contains(word.uppercased())
    }

    /// Returns true for the words of a record's data alone, in either form.
    private static func isData(_ words: [Substring]) -> Bool {
        guard words.count > 2 else { return false }
        if words[0] == TLSAFields.genericMark { return words.dropFirst().allSatisfy(isHexadecimal) }
        return words.count > 3 && words.prefix(3).allSatisfy { UInt8($0).map { $0 <= 3 } ?? false }
            && words.dropFirst(3).allSatisfy(isHexadecimal)
    }

    private static func isHexadecimal(_ word: Substring) -> Bool { word.allSatisfy(\.isHexDigit) }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let zone = try TLSAZone(input)
        var imported = Imported(profile: Profile(unlistedHost: .system), notes: zone.notes)
        if zone.others > 0 {
            imported.notes.append(
                .note("passed-over", "records of other types: \(zone.others)", fix: FormatNote.nothingToDo))
        }
        var services: [Service] = []
        for records in zone.sets {
            guard let owner = records.owner else {
                guard let set = try TLSASetReader(input, nil).set(records, &imported) else { continue }
                let bare = try input.profile(of: [set])
                imported.profile.hosts += bare.hosts
                imported.profile.pins += bare.pins
                continue
            }
            guard let target = target(owner, records, zone, &imported.notes),
                let pins = try TLSASetReader(input, target).set(records, &imported)
            else { continue }
            services.append(Service(name: target.description, target: target, pins: [pins]))
        }
        if !services.isEmpty { imported.profile.environments = [ProfileEnvironment(services: services)] }
        guard !services.isEmpty || !imported.profile.hosts.isEmpty || !imported.profile.pins.isEmpty else {
            let reason = imported.notes.first { $0.severity == .warning }.map { ": \($0.message)" } ?? ""
            throw input.refuse(
                "has no usable record of a TLS server\(reason)",
                remedy: "give lines _443._tcp.NAME. IN TLSA 1 1 1 HEX, with the matching type 1 (SHA-256)")
        }
        return imported
    }

    /// Returns the server of `_443._tcp.example.com`; nil, with a warning, for an owner of another form.
    private static func target(
        _ name: String, _ records: TLSAZone.RecordSet, _ zone: TLSAZone, _ notes: inout [FormatNote]
    ) -> Target? {
        let place = records.records.first.map { "line \($0.line): " } ?? ""
        guard let owner = TLSAOwner(name) else {
            notes.append(
                .warning(
                    "owner",
                    "\(place)\(name) is not the name of a port of a host, like _443._tcp.example.com: it is left out"))
            return nil
        }
        guard owner.transport == "_tcp" else {
            notes.append(.warning("protocol", "\(place)\(name) is not for TCP: it is left out"))
            return nil
        }
        if zone.lacksOrigin(name) {
            notes.append(
                .warning(
                    "origin",
                    "\(place)\(name) has no dot at its end, and no $ORIGIN is given: the host is read as '\(owner.host)'; write the whole name and a dot"
                ))
        }
        return owner.target
    }
}

/// Writes TLSA records with the usages that were read. Other pins of the leaf have usage 1, those of a CA usage 0, and those
/// of any certificate both; for servers of mail 3 and 2.
extension TLSAFormat: FormatWriter {
    static let traits = FormatTraits(
        kinds: [.cert, .spki], positions: .oneOf([.any, .leaf, .ca]), hosts: .names([.itself], repeats: false),
        hasPorts: true, unlistedHost: .system)

    static func write(_ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]) -> [UInt8] {
        var text = ""
        for host in pinned {
            guard let name = host.name else { continue }
            if IPAddress(name) != nil {
                losses.append(FormatLoss("address", host.label, "addresses have no TLSA records; it is left out"))
                continue
            }
            let port = host.port ?? 443
            let isOfMail = StartTLS.wantsOwnAuthority(on: port, startTLS: host.startTLS)
            var isLoosened = false
            for set in host.sets {
                for member in set.members {
                    let known = export.material.usages.of(member.pin, host: name, port: port, at: set.position)
                    isLoosened = isLoosened || known.isEmpty && isOfMail
                    for usage in known.isEmpty ? usages(set.position, isOfMail: isOfMail) : known {
                        let selector = member.pin.kind == .cert ? 0 : 1
                        text += "_\(port)._tcp.\(name). IN TLSA \(usage) \(selector) 1 \(member.pin.digest)\n"
                    }
                }
            }
            if isLoosened {
                losses.append(
                    FormatLoss(
                        "usage", host.label,
                        "that the chain has to be trusted too is not written: mail servers pass over usages 0 and 1, which ask for it"
                    ))
            }
        }
        return Array(text.utf8)
    }

    private static func usages(_ position: PinPosition, isOfMail: Bool) -> [Int] {
        switch position {
        case .leaf: [isOfMail ? 3 : 1]
        case .ca: [isOfMail ? 2 : 0]
        case .any, .first: isOfMail ? [3, 2] : [1, 0]
        }
    }
}
