public import ProbeKit

extension PinIndex {
    /// How many certificates are looked at together: enough to fill every lane many times over, few enough that their
    /// slices and digests stay in the nearest cache.
    private static let together = 128

    /// What ``match(certificate:digester:)`` says of each of many certificates, without allocating.
    ///
    /// - Parameters:
    ///   - certificates: where each certificate's DER lies in `bytes`.
    ///   - bytes: what they are slices of.
    ///   - digester: what digests them, many at once.
    ///   - matches: where the answers go: as many as there are certificates, or more, which are left alone.
    public func match(
        certificates: Span<Range<Int>>, of bytes: Span<UInt8>, digester: BatchDigester,
        into matches: inout MutableSpan<PinMatch>
    ) {
        precondition(matches.count >= certificates.count, "\(certificates.count) answers do not fit")
        // Filled anew for each group, and made once: on the stack, they have to be written before they can be.
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

    /// Looks for pins of one kind in the certificates of a group that have none yet. The group's answers begin at `start`.
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
                // What is not a certificate has no message, and its digest is not looked at.
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
    /// What a pin of a kind is a digest of, where the certificate is a slice of more bytes.
    fileprivate func slice(_ kind: PinKind, of certificate: Range<Int>) -> Range<Int> {
        let start = certificate.lowerBound
        return switch kind {
        case .cert: certificate
        case .spki: start + spki.lowerBound..<start + spki.upperBound
        case .rawkey: start + rawKey.lowerBound..<start + rawKey.upperBound
        }
    }
}
