import ProbeKit
import ProbePins

/// Reads the records of one owner as a set of pins.
struct TLSASetReader {
    /// The code of the warning about a record of SHA-512.
    static let leftOut = "sha512"
    /// The code of the note about usage 2.
    static let privateAnchor = "dane-ta"
    /// The fix of a record that clients look at and no pin can hold.
    static let publishBoth: Fix = "publish a record of SHA-256 for each key as well, and change both together"

    private let input: FormatInput
    /// The server; nil for records without an owner.
    private let target: Target?

    init(_ input: FormatInput, _ target: Target?) {
        self.input = input
        self.target = target
    }

    /// - Returns: nil, with warnings, if clients can use no record of it.
    func set(_ records: TLSAZone.RecordSet, _ imported: inout Imported) throws(InputError) -> PinSet? {
        var positions: [Pin: [PinPosition]] = [:]
        var order: [Pin] = []
        for record in records.records {
            guard let (pin, position) = try pin(record, &imported) else { continue }
            if positions[pin] == nil { order.append(pin) }
            positions[pin, default: []].append(position)
            imported.material.usages.add(record.fields.usage, of: pin, for: target)
            note(record, &imported.notes)
        }
        guard let first = order.first.flatMap({ positions[$0] }) else {
            try refuseUnjudged(records)
            return nil
        }
        let kept = order.map { PinSet.Member($0) }
        // Records of both usages for one pin are the pin anywhere in the chain.
        guard !order.allSatisfy({ Set(positions[$0] ?? []).count > 1 }) else { return PinSet(kept, position: .any) }
        guard order.allSatisfy({ Set(positions[$0] ?? []) == Set(first) }), let position = first.first else {
            let label = target?.description ?? "the records"
            imported.notes.append(
                .warning(
                    "mixed-usages",
                    "\(label): some records are for the leaf and some for a CA; each is read for any certificate"))
            return PinSet(kept, position: .any)
        }
        return PinSet(kept, position: position)
    }

    /// Refuses records of which clients use one and no pin can hold any: without them the server would pass by trust alone.
    private func refuseUnjudged(_ records: TLSAZone.RecordSet) throws(InputError) {
        guard let record = records.records.first(where: { $0.fields.matching == 2 }) else { return }
        throw input.refuse(
            "has records of SHA-512 alone\(target.map { " for \($0)" } ?? "")", line: record.line,
            remedy: "publish one with matching type 1 (SHA-256) for each as well")
    }

    /// - Returns: nil, with a warning, for a record that clients don't use either, or that no pin can hold.
    private func pin(
        _ record: TLSARecord, _ imported: inout Imported
    ) throws(InputError) -> (Pin, PinPosition)? {
        let fields = record.fields
        guard let position = fields.position, let kind = fields.kind else {
            imported.notes.append(
                .warning("unusable", "line \(record.line): its usage or selector is not known; it is left out"))
            return nil
        }
        guard target?.port != StartTLS.smtp.port || fields.usage > 1 else {
            imported.notes.append(
                .warning(
                    "unusable",
                    "line \(record.line): mail servers pass over usage \(fields.usage) (RFC 7672 section 3.1.3); it is left out"
                ))
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
                .warning(
                    Self.leftOut, "line \(record.line): it is a SHA-512 digest, and pins are SHA-256; it is left out",
                    about: target.map { .server($0) }, fix: Self.publishBoth))
            return nil
        default:
            imported.notes.append(
                .warning(
                    "unusable", "line \(record.line): matching type \(fields.matching) is not known; it is left out"))
            return nil
        }
    }

    private func note(_ record: TLSARecord, _ notes: inout [FormatNote]) {
        switch record.fields.usage {
        case 2:
            notes.append(
                .note(
                    Self.privateAnchor,
                    "line \(record.line): usage 2 makes a root of its own, which may be private; \(Fix.Step.giveAnchor)",
                    about: target.map { .server($0) }, fix: "\(Fix.Step.giveAnchor) where a chain is judged"))
        case 3:
            notes.append(
                .note(
                    "dane-ee", "line \(record.line): usage 3 asks for no name and no dates; checks here still do",
                    fix: FormatNote.nothingToDo))
        default: break
        }
    }
}
