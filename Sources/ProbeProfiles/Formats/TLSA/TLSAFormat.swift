import ProbeKit
import ProbePins

/// TLSA records. Each owner becomes a service, for the name has a port; records alone are pins of the caller's host.
enum TLSAFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool {
        let records = input.sniffedLines.map { $0.split(whereSeparator: \.isWhitespace) }
        return records.contains { $0.contains("TLSA") && $0.first?.hasPrefix("_") ?? false }
            || !records.isEmpty
                && records.allSatisfy { words in
                    words.count >= 4 && words.prefix(3).allSatisfy { UInt8($0).map { $0 <= 3 } ?? false }
                        && words.dropFirst(3).allSatisfy { $0.allSatisfy(\.isHexDigit) }
                }
    }

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let zone = try TLSAZone(input)
        var imported = Imported(profile: Profile(unlistedHost: .system))
        if zone.others > 0 { imported.notes.append(.note("passed-over", "records of other types: \(zone.others)")) }
        var services: [Service] = []
        for records in zone.sets {
            guard let owner = records.owner else {
                let bare = try input.profile(of: [try set(records, "the records", input, &imported)])
                imported.profile.hosts += bare.hosts
                imported.profile.pins += bare.pins
                continue
            }
            guard let target = try target(owner, records, input, &imported.notes) else { continue }
            let pins = try set(records, target.description, input, &imported)
            services.append(Service(name: target.description, target: target, pins: [pins]))
        }
        if !services.isEmpty { imported.profile.environments = [ProfileEnvironment(services: services)] }
        guard !services.isEmpty || !imported.profile.hosts.isEmpty || !imported.profile.pins.isEmpty else {
            throw input.refuse(
                "has no TLSA record for a TLS server", remedy: "give lines _443._tcp.NAME. IN TLSA 1 1 1 HEX")
        }
        return imported
    }

    /// Returns the server of `_443._tcp.example.com`.
    private static func target(
        _ owner: String, _ records: TLSAZone.RecordSet, _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) -> Target? {
        let line = records.records.first?.line
        let labels = owner.split(separator: ".", maxSplits: 2)
        guard labels.count == 3, labels[0].hasPrefix("_"), let port = UInt16(labels[0].dropFirst()), port > 0,
            labels[1].hasPrefix("_")
        else {
            throw input.refuse(
                "has TLSA records of '\(owner)'", line: line,
                remedy: "their owner is a name like _443._tcp.example.com.")
        }
        guard labels[1] == "_tcp" else {
            notes.append(.warning("protocol", "\(owner) is not for TCP, and is left out"))
            return nil
        }
        return Target(
            name: try input.at(line) { () throws(InputError) in try ServerName(String(labels[2])) }, port: port)
    }

    private static func set(
        _ records: TLSAZone.RecordSet, _ label: String, _ input: FormatInput, _ imported: inout Imported
    ) throws(InputError) -> PinSet {
        var positions: [Pin: [PinPosition]] = [:]
        var order: [Pin] = []
        for record in records.records {
            guard let (pin, position) = try pin(record, input, &imported) else { continue }
            if positions[pin] == nil { order.append(pin) }
            positions[pin, default: []].append(position)
            tell(record, &imported.notes)
        }
        guard let first = order.first.flatMap({ positions[$0] }) else {
            throw input.refuse(
                "has no usable record", line: records.records.first?.line,
                remedy: "publish one with matching type 1 (SHA-256)")
        }
        let kept = order.map { PinSet.Member($0) }
        // Records of both usages for one pin are the pin anywhere in the chain.
        guard !order.allSatisfy({ Set(positions[$0] ?? []).count > 1 }) else { return PinSet(kept, position: .any) }
        guard order.allSatisfy({ Set(positions[$0] ?? []) == Set(first) }), let position = first.first else {
            imported.notes.append(
                .warning(
                    "mixed-usages",
                    "\(label): some records are for the leaf and some for a CA; each is read for any certificate"))
            return PinSet(kept, position: .any)
        }
        return PinSet(kept, position: position)
    }

    /// - Returns: nil, with a warning, for a record that clients don't use either, or that no pin can hold.
    private static func pin(
        _ record: TLSARecord, _ input: FormatInput, _ imported: inout Imported
    ) throws(InputError) -> (Pin, PinPosition)? {
        let fields = record.fields
        guard let position = fields.position, let kind = fields.kind else {
            imported.notes.append(
                .warning("unusable", "line \(record.line): its usage or selector is not known; it is left out"))
            return nil
        }
        switch fields.matching {
        case 0:
            do throws(CertificateFormatError) {
                try fields.checkData(is: kind)
            } catch {
                throw input.refuse(
                    "has data that is not of the kind \(kind.name): \(error)", line: record.line,
                    remedy: "publish it whole, in DER")
            }
            if kind == .cert {
                imported.material.certificates.append(fields.data)
            } else {
                imported.material.keys.append(fields.data)
            }
            return (Pin(kind: kind, digest: .sha256(of: fields.data)), position)
        case 1:
            let hex = Hex.encode(fields.data)
            return (try input.at(record.line) { () throws(InputError) in try PinText.pin(kind, hex: hex) }, position)
        case 2:
            imported.notes.append(
                .warning("sha512", "line \(record.line): it is a SHA-512 digest, and pins are SHA-256; it is left out"))
            return nil
        default:
            imported.notes.append(
                .warning(
                    "unusable", "line \(record.line): matching type \(fields.matching) is not known; it is left out"))
            return nil
        }
    }

    private static func tell(_ record: TLSARecord, _ notes: inout [FormatNote]) {
        switch record.fields.usage {
        case 2:
            notes.append(
                .note(
                    "dane-ta",
                    "line \(record.line): usage 2 makes a root of its own, which may be private; \(Fix.Step.giveAnchor)"
                ))
        case 3:
            notes.append(
                .note("dane-ee", "line \(record.line): usage 3 asks for no name and no dates; checks here still do"))
        default: break
        }
    }
}

/// Writes TLSA records: a pin of the leaf has usage 1, one of a CA usage 0, and one of any certificate both.
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
            for set in host.sets {
                for member in set.members {
                    for usage in usages(set.position) {
                        let selector = member.pin.kind == .cert ? 0 : 1
                        text +=
                            "_\(host.port ?? 443)._tcp.\(name). IN TLSA \(usage) \(selector) 1 \(member.pin.digest)\n"
                    }
                }
            }
        }
        return Array(text.utf8)
    }

    private static func usages(_ position: PinPosition) -> [Int] {
        switch position {
        case .leaf: [1]
        case .ca: [0]
        case .any, .first: [1, 0]
        }
    }
}
