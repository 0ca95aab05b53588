import Foundation
import ProbeKit
import ProbePins
import ProbeSignatures

/// The list that wultra's SSL pinning fetches: certificates by the common name of the leaf, each until an instant.
enum WultraFormat: FormatReader {
    static func recognises(_ input: FormatInput) -> Bool { input.jsonObject()?["fingerprints"] is [Any] }

    /// The code of the note about signatures without a key.
    static let unchecked = "signature"

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
        var sets: [(name: String, set: PinSet)] = []
        var indices: [String: Int] = [:]
        for entry in entries {
            guard years.contains(entry.expires) else {
                throw input.refuse(
                    "has an 'expires' of \(entry.expires), which is in no year from 1970 to 9999",
                    remedy: "give it in seconds since 1970")
            }
            let member = PinSet.Member(
                try input.at { () throws(InputError) in try PinText.pin(.cert, base64: entry.fingerprint) },
                expires: Date(timeIntervalSince1970: Double(entry.expires) - 1))
            if let index = indices[entry.name] {
                sets[index].set.members.append(member)
            } else {
                indices[entry.name] = sets.count
                sets.append((entry.name, PinSet([member], position: .leaf)))
            }
        }
        let hosts = sets.compactMap { name, set in
            input.rule(name, .exact, subdomains: false, pins: [set], platform: "wultra", notes: &notes)
        }
        return Imported(profile: Profile(unlistedHost: .fail, hosts: hosts), notes: notes)
    }

    private static func checkSignatures(
        _ entries: [Entry], _ input: FormatInput, _ notes: inout [FormatNote]
    ) throws(InputError) {
        guard let key = input.context.signer else {
            notes.append(
                .warning(
                    unchecked,
                    "the signatures were not checked: 'probe profile lint' and 'probe profile convert' do so with the server's key"
                ))
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
                remedy: "give the list as its server signed it, and that server's key")
        }
    }
}

/// Writes the list that wultra's SSL pinning fetches, unsigned.
extension WultraFormat: FormatWriter {
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
            fingerprints += members.map { member in
                SignedFingerprint(
                    name: host.name ?? "", fingerprint: member.pin.digest.base64,
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
