import ProbeKit
import ProbePins

extension FuzzTarget {
    /// The hash path: the shortcut agrees with the strict walk, and the slices are those of the key alone.
    static let derWalk = FuzzTarget("der-walk", upTo: 2048) { bytes in
        let walked = try? CertificateSlices.walk(bytes.span)
        if let usual = CommonLayout(bytes.span) {
            try hold(
                usual.spki == walked?.spki && usual.rawKey == walked?.rawKey,
                "the common layout is \(usual.spki), \(usual.rawKey); the walk finds \(String(describing: walked))")
        }
        let key = try? CertificateSlices(spki: bytes.span)
        guard let walked else {
            if let key { try hold(key.rawKey.upperBound <= bytes.count, "the key ends outside: \(key)") }
            return
        }
        try hold(key == nil, "the bytes are a certificate and a key")
        try hold((try? CertificateSlices(certificate: bytes.span)) == walked, "the two ways in differ")
        try hold(
            0 < walked.spki.lowerBound && walked.spki.upperBound < bytes.count
                && walked.spki.lowerBound < walked.rawKey.lowerBound
                && walked.rawKey.upperBound == walked.spki.upperBound,
            "the slices are not within each other: \(walked)")
        let alone = try? CertificateSlices(spki: Array(bytes[walked.spki]).span)
        let expected = walked.rawKey.lowerBound - walked.spki.lowerBound..<walked.spki.count
        try hold(alone?.rawKey == expected, "the key alone is read as \(String(describing: alone))")
        // DER states its length: nothing can be added or taken away.
        try hold((try? CertificateSlices.walk((bytes + [0]).span)) == nil, "a byte more is accepted")
        try hold((try? CertificateSlices.walk(Array(bytes.dropLast()).span)) == nil, "a byte less is accepted")
    }
}
