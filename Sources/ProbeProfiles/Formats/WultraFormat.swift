import Foundation
import ProbeKit
import ProbePins
import ProbeSignatures

/// The list that wultra's SSL pinning fetches: certificates by the common name of the leaf, each until an instant.
///
/// Its clients compare that name as it stands with the presented leaf's, and do not look at the host, so
/// the fingerprints are pins for all hosts.
enum WultraFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { input.jsonObject()?["fingerprints"] is [Any] }

    /// The code of the note about signatures without a key.
    static let unchecked = "signature"

    /// The fix of signatures without a key.
    static let giveKey: Fix = "give the key with which the list's server signs"

    /// An entry; lists that are signed as a whole have no signatures of entries.
    private struct Entry: Decodable {
        let name: String
        let fingerprint: String
        let expires: Int64
        let signature: String?
    }

    private struct List: Decodable {
        let fingerprints: [Entry]
    }

    /// The instants that can be written as a date again: 1970 to 9999, and the second after.
    private static let years: ClosedRange<Int64> = 0...253_402_300_800

    static func read(_ input: FormatInput) throws(InputError) -> Imported {
        let entries: [Entry]
        do {
            entries = try JSONDecoder().decode(List.self, from: Data(try input.requiredText().utf8)).fingerprints
        } catch {
            throw input.refuse(
                "is not a list of fingerprints",
                remedy:
                    "give JSON with 'fingerprints': 'name', 'fingerprint' and 'expires' (seconds since 1970) of each")
        }
        // Clients keep their pins if a list is empty, and so do we (requirement 73).
        guard !entries.isEmpty else { throw input.refuse("is an empty list", remedy: "give one with fingerprints") }
        var notes: [FormatNote] = []
        try checkSignatures(entries, input, &notes)
        notes += unknownKeys(input)
        var members: [PinSet.Member] = []
        for entry in entries {
            guard years.contains(entry.expires) else {
                throw input.refuse(
                    "has an 'expires' of \(entry.expires), which is in no year from 1970 to 9999",
                    remedy: "give it in seconds since 1970")
            }
            let member = PinSet.Member(
                try input.at { () throws(InputError) in try PinText.pin(.cert, base64: entry.fingerprint) },
                expires: Date(timeIntervalSince1970: Double(entry.expires) - 1), commonName: entry.name)
            guard !entry.name.isEmpty, PrintableText.escape(entry.name) == entry.name else {
                notes.append(
                    .warning(
                        "never-matches", "'\(entry.name)' is not a common name that can be printed: it is left out"))
                continue
            }
            members.append(member)
        }
        let pins = members.isEmpty ? [] : [PinSet(members, position: .leaf)]
        return Imported(profile: Profile(unlistedHost: .fail, pins: pins), notes: notes)
    }

    /// The keys of entries and of lists that change nothing, or are read.
    private static let known: (entry: Set<String>, list: Set<String>) = (
        ["name", "fingerprint", "expires", "signature"], ["fingerprints", "timestamp"]
    )

    /// Returns the warnings about keys of newer lists, like `maxIndex` and `domains` of an entry and `domainsToIgnore`:
    /// their clients may accept other chains than these pins do, and refuse some that match.
    private static func unknownKeys(_ input: FormatInput) -> [FormatNote] {
        guard let list = input.jsonObject() else { return [] }
        let entries = list["fingerprints"] as? [[String: Any]] ?? []
        let keys = Set(list.keys).subtracting(known.list).union(Set(entries.flatMap(\.keys)).subtracting(known.entry))
        return keys.sorted().map { key in
            .warning(
                "unknown-key",
                "'\(key)' is not read: clients that know it may judge other certificates, or skip hosts",
                fix: "compare with what the app's own clients do")
        }
    }

    private static func checkSignatures(
        _ entries: [Entry], _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) {
        guard let key = input.context.signer else {
            notes.append(
                .warning(
                    unchecked,
                    "the signatures were not checked: give the server's key", fix: giveKey))
            return
        }
        let list = SignedFingerprints(
            fingerprints: entries.map {
                SignedFingerprint(
                    name: $0.name, fingerprint: $0.fingerprint, expires: $0.expires, signature: $0.signature ?? "")
            })
        let unsigned = list.unsigned(by: key)
        guard unsigned.isEmpty else {
            throw input.refuse(
                "has entries that the key did not sign: \(unsigned.joined(separator: ", "))",
                remedy: "give the list as its server signed it, and that server's key", source: .signature)
        }
    }
}

/// Writes the list that wultra's SSL pinning fetches, unsigned.
extension WultraFormat: FormatWriter {
    static let looksUpByCommonName = true
    static let traits = FormatTraits(
        kinds: [.cert], positions: .fixed(.leaf), expiry: .perPin, hosts: .names([.itself], repeats: false),
        unlistedHost: .fail)

    /// The first second of 2100, for pins without an expiry.
    private static let farAway: Int64 = 4_102_444_800

    static func write(
        _ pinned: [PinnedHost], _ export: FormatExport, losses: inout [FormatLoss]
    ) throws(InputError) -> [UInt8] {
        var fingerprints: [SignedFingerprint] = []
        for host in pinned {
            let members = host.sets.first?.members ?? []
            if members.contains(where: { $0.expires == nil }) {
                losses.append(
                    FormatLoss("pin-expiry", host.label, "pins without an end are written to expire with the year 2099")
                )
            }
            if members.contains(where: { $0.commonName == nil }) {
                losses.append(
                    FormatLoss(
                        "host", host.label,
                        "clients look fingerprints up by the leaf's common name, whatever the host: they are listed for a leaf with this name"
                    ))
            }
            fingerprints += members.map { member in
                SignedFingerprint(
                    name: member.commonName ?? host.name ?? "", fingerprint: member.pin.digest.base64,
                    expires: member.expires.map { Int64($0.timeIntervalSince1970) + 1 } ?? farAway, signature: "")
            }
        }
        losses.append(FormatLoss("signature", "the list", "its entries are not signed: sign name&fingerprint&expires"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try Exported.encoded { try encoder.encode(SignedFingerprints(fingerprints: fingerprints)) }
        return Array(data) + [0x0a]
    }
}
