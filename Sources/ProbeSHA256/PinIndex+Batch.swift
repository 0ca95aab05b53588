public import ProbeKit
public import ProbePins

extension PinIndex {
    /// The number of certificates in a batch: enough to fill every lane many times over, few enough that their slices
    /// and digests stay in the nearest cache.
    private static let together = 128

    /// Writes the result of ``match(certificate:digester:)`` for each of many certificates, without allocating.
    ///
    /// - Parameters:
    ///   - certificates: the range of each certificate's DER in `bytes`.
    ///   - bytes: the bytes that contain them.
    ///   - digester: the digester, which hashes many at once.
    ///   - matches: the results: at least one element for each certificate; others are unchanged.
    public func match(
        certificates: Span<Range<Int>>, of bytes: Span<UInt8>, digester: BatchDigester,
        into matches: inout MutableSpan<PinMatch>
    ) {
        precondition(matches.count >= certificates.count, "\(certificates.count) answers do not fit")
        // Filled again for each group, and made once: on the stack, arrays have to be initialized before use.
        var messages = InlineArray<128, Range<Int>>(repeating: 0..<0)
        var digests = InlineArray<128, PinDigest>(repeating: PinDigest(words: (0, 0, 0, 0)))
        var start = 0
        while start < certificates.count {
            let range = start..<min(start + Self.together, certificates.count)
            let group = certificates.extracting(range)
            for index in range { matches[index] = .notPinned }
            match(.spki, group, of: bytes, digester, &matches, at: start, &messages, &digests)
            match(.rawkey, group, of: bytes, digester, &matches, at: start, &messages, &digests)
            match(.cert, group, of: bytes, digester, &matches, at: start, &messages, &digests)
            start = range.upperBound
        }
    }

    /// Searches for pins of one kind in the certificates of a group that have none yet. The group's results begin at
    /// `start`.
    private func match(
        _ kind: PinKind, _ group: Span<Range<Int>>, of bytes: Span<UInt8>, _ digester: BatchDigester,
        _ matches: inout MutableSpan<PinMatch>, at start: Int, _ messages: inout InlineArray<128, Range<Int>>,
        _ digests: inout InlineArray<128, PinDigest>
    ) {
        guard let pinned = self[kind] else { return }
        for index in group.indices {
            let certificate = group[index]
            do throws(CertificateFormatError) {
                let slices = try CertificateSlices(certificate: bytes.extracting(certificate))
                messages[index] = slices.slice(kind, of: certificate)
            } catch {
                // Bytes that are not a certificate have no message, and their digest is not read.
                messages[index] = 0..<0
                matches[start + index] = .unreadable
            }
        }
        var output = digests.mutableSpan
        digester.sha256(messages.span.extracting(group.indices), of: bytes, into: &output)
        for index in group.indices where matches[start + index] == .notPinned && pinned.contains(digests[index]) {
            matches[start + index] = .pinned(kind)
        }
    }
}

extension CertificateSlices {
    /// Returns the bytes that a pin of a kind hashes, for a certificate that is a slice of more bytes.
    fileprivate func slice(_ kind: PinKind, of certificate: Range<Int>) -> Range<Int> {
        let start = certificate.lowerBound
        return switch kind {
        case .cert: certificate
        case .spki: start + spki.lowerBound..<start + spki.upperBound
        case .rawkey: start + rawKey.lowerBound..<start + rawKey.upperBound
        }
    }
}

/// The result of matching one certificate of many against an index of pins.
public enum PinMatch: Hashable, Sendable {
    /// The certificate has a pin of this kind.
    case pinned(PinKind)
    /// It has none.
    case notPinned
    /// The bytes are not a certificate.
    case unreadable
}
