/// A path from the leaf to an anchor that a verifier found valid, as indices into the evidence's certificates.
public struct ValidatedPath: Hashable, Sendable {
    /// The certificates, the leaf first.
    public let indices: [Int]
    /// The verifiers that accept it: the stack, the reference verifier, both, or none that was asked.
    public let takers: [String]

    /// Creates a path with the verifiers that accept it.
    public init(_ indices: [Int], takers: [String]) {
        self.indices = indices
        self.takers = takers
    }

    /// The reference verifier as messages name it.
    static let reference = "the reference verifier"
}

extension ConnectionEvidence {
    /// Returns the paths whose takers decide: the stack's and the reference verifier's, or the requested one's. Empty
    /// if none of their paths is known.
    public func deciding(by mode: TrustMode) -> [ValidatedPath] {
        let native = mode == .reference ? nil : nativePath
        let reference = mode == .native ? nil : referencePath
        let stack = transport.name
        return switch (native, reference) {
        case (let native?, let reference?) where native == reference:
            [ValidatedPath(native, takers: [stack, ValidatedPath.reference])]
        default:
            [
                native.map { ValidatedPath($0, takers: [stack]) },
                reference.map { ValidatedPath($0, takers: [ValidatedPath.reference]) },
            ].compactMap(\.self)
        }
    }

    /// Returns the chains to search for pins, at least one. Without a validated path only the leaf is known to belong
    /// there: anyone can add a pinned certificate to a chain (decided: presented-chain).
    public func chains(_ chain: PinChain, by mode: TrustMode) -> [ValidatedPath] {
        guard chain == .validated else { return [ValidatedPath(presented, takers: [])] }
        let paths = deciding(by: mode)
        return paths.isEmpty ? [ValidatedPath(Array(presented.prefix(1)), takers: [])] : paths
    }

    /// Returns the valid paths beside the deciding ones: that of the verifier that does not count, then those that no
    /// verifier accepted.
    public func others(than mode: TrustMode) -> [ValidatedPath] {
        let deciding = Set(deciding(by: mode).map(\.indices))
        let taken = mode == .both ? [] : self.deciding(by: mode == .native ? .reference : .native)
        var known = deciding.union(taken.map(\.indices))
        return taken.filter { !deciding.contains($0.indices) }
            + furtherPaths.filter { known.insert($0).inserted }.map { ValidatedPath($0, takers: []) }
    }

    /// The leaf, and every certificate that is on a valid path; paths name the first copy of one that was sent repeatedly,
    /// and its other copies are the same certificate.
    package var onValidPaths: Set<Int> {
        let named = Set(presented.prefix(1)).union([nativePath, referencePath].compactMap(\.self).joined()).union(
            furtherPaths.joined())
        let known = Set(named.map { certificates[$0].der })
        return Set(certificates.indices.filter { known.contains(certificates[$0].der) })
    }

    /// Returns a path as indices; nil if it has a certificate that is not among `certificates`.
    static func indices(of path: [[UInt8]]?, in certificates: [CertificateEvidence]) -> [Int]? {
        guard let path, !path.isEmpty else { return nil }
        let indices = path.compactMap { der in certificates.firstIndex { $0.der == der } }
        return indices.count == path.count ? indices : nil
    }

    /// Returns a path as text: the names from the leaf to the anchor, with a digest where two certificates have the
    /// same name.
    package func text(of path: [Int]) -> String {
        path.map { index in
            let certificate = certificates[index]
            let isNamesake = certificates.indices.contains { $0 != index && certificates[$0].name == certificate.name }
            guard isNamesake, let digests = try? certificate.digests.get() else { return certificate.name }
            return "\(certificate.name) (SHA-256 \(digests.cert.hex.prefix(12)))"
        }.joined(separator: " > ")
    }
}

extension TrustReading {
    /// Returns the path if it leads from the leaf of a chain to an anchor over certificates of both; nil if not. A program
    /// may claim any path, and one with a certificate from elsewhere proves nothing about this server.
    package func path(of chain: [[UInt8]], to anchors: TrustAnchors) -> [[UInt8]]? {
        guard let path, let last = path.last, path.first == chain.first, anchors.certificates.contains(last),
            path.allSatisfy({ chain.contains($0) || anchors.certificates.contains($0) })
        else { return nil }
        return path
    }
}
