/// The shape that nearly every certificate has, recognized with few comparisons: version 3, at least 256 bytes to be
/// signed, an issuer and a subject of less than 128 bytes, validity as two UTCTimes, extensions as the last field.
///
/// It accepts nothing that the strict walk would not, with the same slices; what it does not recognize is not refused but
/// walked. It is there because the walk would cost a third of a digest of one block.
struct UsualCertificate {
    /// The whole SubjectPublicKeyInfo element.
    let spki: Range<Int>
    /// The content of its BIT STRING without the count of unused bits.
    let rawKey: Range<Int>

    /// The slices of a certificate of the usual shape, or nil for the strict walk to judge.
    @inline(__always)
    init?(_ der: Span<UInt8>) {
        // Every read below is of a place that a comparison before it, or the sum of the lengths allowed so far, has shown
        // to lie inside.
        let count = der.count
        guard count >= 268, count <= 0xffff else { return nil }
        // Two SEQUENCEs with two bytes of length each.
        let outer = UInt64(bigEndian: der.word(at: 0))
        let signedEnd = 8 &+ Int(truncatingIfNeeded: outer & 0xffff)
        guard outer & 0xffff_0000_ffff_0000 == 0x3082_0000_3082_0000,
            Int(truncatingIfNeeded: outer &>> 32 & 0xffff) == count &- 4, signedEnd >= 264, signedEnd &+ 4 <= count
        else { return nil }
        // Version 3, a serial number of less than 64 bytes, an algorithm of less than 32, an issuer of less than 128.
        let start = UInt64(bigEndian: der.word(at: 8))
        guard start & 0xffff_ffff_ffff_c000 == 0xa003_0201_0202_0000 else { return nil }
        let signature = 15 &+ Int(truncatingIfNeeded: start &>> 8 & 0xff)
        guard let issuer = der.endOfShort(0x30, at: signature), issuer < signature &+ 34,
            let validity = der.endOfShort(0x30, at: issuer), der.word(at: validity) == (0x1e30 as UInt16)
        else { return nil }
        let subject = validity &+ 32
        guard subject &+ 2 <= signedEnd, let key = der.endOfShort(0x30, at: subject),
            let info = der.content(0x30, at: key, within: signedEnd), info.lowerBound &+ 2 <= info.upperBound,
            let bits = der.endOfShort(0x30, at: info.lowerBound),
            let content = der.content(0x03, at: bits, within: info.upperBound), content.upperBound == info.upperBound,
            content.lowerBound < content.upperBound, der.word(at: content.lowerBound) == (0 as UInt8)
        else { return nil }
        if info.upperBound != signedEnd {
            guard let extensions = der.content(0xa3, at: info.upperBound, within: signedEnd),
                extensions.upperBound == signedEnd
            else { return nil }
        }
        guard let value = der.endOfShort(0x30, at: signedEnd),
            let signatureValue = der.content(0x03, at: value, within: count), signatureValue.upperBound == count
        else { return nil }
        spki = unsafe Range(uncheckedBounds: (key, info.upperBound))
        rawKey = unsafe Range(uncheckedBounds: (content.lowerBound &+ 1, content.upperBound))
    }
}

extension Span<UInt8> {
    /// The bytes at an offset that is known to be inside with all of them, as they lie in memory.
    @inline(__always)
    fileprivate func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Word {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Word.self)
    }

    /// The end of an element with this tag and less than 128 bytes of content, whose two bytes of header are inside.
    @inline(__always)
    fileprivate func endOfShort(_ tag: UInt16, at offset: Int) -> Int? {
        let header = UInt16(littleEndian: word(at: offset))
        guard header & 0x80ff == tag else { return nil }
        return offset &+ 2 &+ Int(truncatingIfNeeded: header &>> 8)
    }

    /// The content of an element with this tag, which ends before `end` does.
    @inline(__always)
    fileprivate func content(_ tag: UInt8, at offset: Int, within end: Int) -> Range<Int>? {
        guard offset &+ 4 <= end else { return nil }
        let header = UInt32(bigEndian: word(at: offset))
        guard UInt8(truncatingIfNeeded: header &>> 24) == tag else { return nil }
        let form = UInt8(truncatingIfNeeded: header &>> 16)
        var (start, length) = (offset &+ 2, Int(form))
        if form >= 0x80 {
            if form == 0x82 {
                (start, length) = (offset &+ 4, Int(header & 0xffff))
                guard length >= 0x100 else { return nil }
            } else {
                (start, length) = (offset &+ 3, Int(header &>> 8 & 0xff))
                guard form == 0x81, length >= 0x80 else { return nil }
            }
        }
        guard start &+ length <= end else { return nil }
        return unsafe Range(uncheckedBounds: (start, start &+ length))
    }
}
