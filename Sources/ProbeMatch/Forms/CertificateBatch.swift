import ProbeKit
import ProbePins
import ProbePlatform

/// The certificates of a block, all their bytes in one array, which is what the batch of the hash path reads.
struct CertificateBatch: Sendable {
    /// A place in an input.
    struct Place: Hashable, Sendable {
        var line: Int?
        var offset: Int?
        /// The value within a line of JSON, or the part of an entry.
        var path: String?
        /// The instant at which a log or a scan saw the certificate.
        var seen: Date?
    }

    /// A certificate that a record has by its digests alone.
    struct Digested: Sendable {
        let digests: [Pin]
        let place: Place
    }

    private(set) var bytes: [UInt8] = []
    private(set) var certificates: [Range<Int>] = []
    private(set) var places: [Place] = []
    private(set) var digested: [Digested] = []
    /// The places of values that should be certificates and can't be decoded.
    private(set) var undecoded: [Place] = []

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// The amounts of what a batch holds.
    struct Extent {
        let bytes: Int
        let certificates: Int
        let digested: Int
        let undecoded: Int
    }

    /// The amounts of what it holds now.
    var extent: Extent {
        Extent(
            bytes: bytes.count, certificates: certificates.count, digested: digested.count, undecoded: undecoded.count)
    }

    /// Removes what was added since it had an extent.
    mutating func cut(to extent: Extent) {
        bytes.removeSubrange(extent.bytes...)
        certificates.removeSubrange(extent.certificates...)
        places.removeSubrange(extent.certificates...)
        digested.removeSubrange(extent.digested...)
        undecoded.removeSubrange(extent.undecoded...)
    }

    mutating func append(_ certificate: some Collection<UInt8>, at place: Place) {
        let start = bytes.count
        bytes.append(contentsOf: certificate)
        certificates.append(start..<bytes.count)
        places.append(place)
    }

    mutating func append(_ digests: [Pin], at place: Place) {
        digested.append(Digested(digests: digests, place: place))
    }

    mutating func appendUndecoded(at place: Place) {
        // Reported by line and offset alone.
        var place = place
        place.path = nil
        undecoded.append(place)
    }
}

extension InputBlock {
    /// Returns the certificates of the block.
    var certificates: CertificateBatch {
        switch form {
        case .pem: PEMCertificates.read(self)
        case .json, .jsonLines: JSONCertificates.read(self)
        case .der:
            read { bytes, start, batch in
                guard case .at(let end) = DERElement.end(in: bytes, at: start) else { return nil }
                if isOfFolder, DERElement.isOther(bytes[start..<end]) { return end }
                batch.append(bytes[start..<end], at: .init(offset: offset + start))
                return end
            }
        case .tile:
            read { bytes, start, batch in
                guard case .at(let end) = CTEntry.Tile.end(in: bytes, at: start) else { return nil }
                guard let entry = CTEntry.Tile.entry(bytes[start..<end]) else { return end }
                entry.append(to: &batch, at: .init(offset: offset + start))
                return end
            }
        }
    }

    private func read(_ next: ([UInt8], Int, inout CertificateBatch) -> Int?) -> CertificateBatch {
        var batch = CertificateBatch()
        batch.reserve(bytes.count)
        var start = 0
        while start < bytes.count, let end = next(bytes, start, &batch) { start = end }
        return batch
    }
}
