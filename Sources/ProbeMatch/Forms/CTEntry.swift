import Foundation
import ProbeKit

/// An entry of a certificate transparency log: a certificate, or the precertificate that it was made from, and the chain
/// that came with it.
struct CTEntry {
    let certificate: ArraySlice<UInt8>
    let isPrecertificate: Bool
    let chain: [ArraySlice<UInt8>]
    /// The time at which the log took it; nil if no calendar has it.
    let timestamp: Date?

    /// Appends its certificates; a part of a place is `certificate`, `precertificate` or `chain[0]`.
    func append(to batch: inout CertificateBatch, at place: CertificateBatch.Place) {
        func part(_ name: String) -> CertificateBatch.Place {
            var place = place
            place.path = place.path.map { "\($0).\(name)" } ?? name
            place.seen = timestamp ?? place.seen
            return place
        }
        batch.append(certificate, at: part(isPrecertificate ? "precertificate" : "certificate"))
        for (index, issuer) in chain.enumerated() { batch.append(issuer, at: part("chain[\(index)]")) }
    }

    /// Reads an answer to get-entries (RFC 6962 sections 3.4 and 4.6); nil if it is not one.
    init?(leafInput: [UInt8], extraData: [UInt8]) {
        var leaf = OctetReader(leafInput[...])
        // Version 1, a timestamped entry.
        guard leaf.number(2) == 0, let milliseconds = leaf.number(8), let type = leaf.number(2) else { return nil }
        timestamp = Self.instant(milliseconds)
        isPrecertificate = type == 1
        var extra = OctetReader(extraData[...])
        switch type {
        case 0:
            guard let certificate = leaf.vector(3) else { return nil }
            self.certificate = certificate
        case 1:
            guard let certificate = extra.vector(3) else { return nil }
            self.certificate = certificate
        default: return nil
        }
        guard let list = extra.vector(3) else { return nil }
        var (chain, rest) = ([ArraySlice<UInt8>](), OctetReader(list))
        while !rest.isEmpty {
            guard let issuer = rest.vector(3) else { return nil }
            chain.append(issuer)
        }
        self.chain = chain
    }

    /// Returns the instant of a log's clock, if RFC 3339 can write it: years have four digits.
    fileprivate static func instant(_ milliseconds: UInt64) -> Date? {
        milliseconds < 253_402_300_800_000 ? Date(timeIntervalSince1970: Double(milliseconds) / 1000) : nil
    }

    private init(
        certificate: ArraySlice<UInt8>, isPrecertificate: Bool, chain: [ArraySlice<UInt8>], timestamp: Date?
    ) {
        (self.certificate, self.isPrecertificate, self.chain) = (certificate, isPrecertificate, chain)
        self.timestamp = timestamp
    }

    /// The entries of a data tile (static-ct-api), which names issuers by their digests alone.
    enum Tile {
        /// Returns true if bytes begin as an entry: a time since 1970, and one of two types.
        static func isBeginning(_ bytes: [UInt8]) -> Bool {
            bytes.count > 12 && bytes[0] == 0 && bytes[1] == 0 && bytes[8] == 0 && bytes[9] <= 1
        }

        static func end(in bytes: [UInt8], at start: Int) -> ElementEnd {
            var octets = OctetReader(bytes[start...])
            switch walk(&octets) {
            case nil: return octets.isShort ? .beyond : .broken
            case .some: return .at(octets.position)
            }
        }

        static func entry(_ bytes: ArraySlice<UInt8>) -> CTEntry? {
            var octets = OctetReader(bytes)
            return walk(&octets)
        }

        private static func walk(_ octets: inout OctetReader) -> CTEntry? {
            guard let milliseconds = octets.number(8), let type = octets.number(2), type <= 1 else { return nil }
            var certificate: ArraySlice<UInt8>?
            if type == 1 { _ = octets.take(32) }
            certificate = octets.vector(3)
            _ = octets.vector(2)
            if type == 1 { certificate = octets.vector(3) }
            let issuers = octets.vector(2)
            guard let certificate, issuers != nil else { return nil }
            return CTEntry(
                certificate: certificate, isPrecertificate: type == 1, chain: [],
                timestamp: CTEntry.instant(milliseconds))
        }
    }
}
