/// The shape that nearly every certificate has, recognized with few comparisons: version 3, at least 256 bytes to be
/// signed, an issuer and a subject of less than 128 bytes, validity as two UTCTimes, extensions as the last field.
///
/// It accepts nothing that the strict walk would not, with the same slices; a certificate that it does not recognize is
/// walked, not rejected. It exists because the walk would cost a third of a digest of one block. The ends of most
/// elements are known, so that their headers are not parsed but compared with the only possible ones.
package struct CommonLayout {
    /// The whole SubjectPublicKeyInfo element.
    package let spki: Range<Int>
    /// The content of its BIT STRING without the count of unused bits.
    package let rawKey: Range<Int>

    /// Reads the slices of a certificate of the usual shape; nil leaves it to the strict walk.
    @inline(__always)
    package init?(_ der: Span<UInt8>) {
        // Every read below is of an offset that a comparison before it, or the sum of the lengths allowed so far, has
        // shown to be inside.
        let count = der.count
        guard count >= 268, count <= 0xffff else { return nil }
        // Two SEQUENCEs with two bytes of length each, of which the outer one is known.
        let outer = UInt64(bigEndian: der.word(at: 0))
        let signedEnd = 8 &+ Int(truncatingIfNeeded: outer & 0xffff)
        guard outer &>> 16 == 0x3082_0000_3082 | UInt64(truncatingIfNeeded: count &- 4) &<< 16, signedEnd >= 264,
            signedEnd &+ 4 <= count
        else { return nil }
        // Version 3, a serial number of less than 64 bytes, an algorithm of less than 32, an issuer of less than 128.
        let start = UInt64(bigEndian: der.word(at: 8))
        guard start & 0xffff_ffff_ffff_c000 == 0xa003_0201_0202_0000 else { return nil }
        let signature = 15 &+ Int(truncatingIfNeeded: start &>> 8 & 0xff)
        guard let issuer = der.endOfShort(at: signature), issuer < signature &+ 34,
            let validity = der.endOfShort(at: issuer), der.word(at: validity) == (0x1e30 as UInt16)
        else { return nil }
        let subject = validity &+ 32
        guard subject &+ 2 <= signedEnd, let key = der.endOfShort(at: subject), key &+ 8 <= signedEnd else {
            return nil
        }
        // The key, and in it an algorithm of less than 128 bytes.
        let info = UInt64(bigEndian: der.word(at: key))
        let (end, bits): (Int, Int)
        if info & 0xff80_ff80_0000_0000 == 0x3000_3000_0000_0000 {
            end = key &+ 2 &+ Int(truncatingIfNeeded: info &>> 48 & 0xff)
            bits = key &+ 4 &+ Int(truncatingIfNeeded: info &>> 32 & 0xff)
        } else {
            guard info & 0xffff_0000_ff80_0000 == 0x3082_0000_3000_0000 else { return nil }
            end = key &+ 4 &+ Int(truncatingIfNeeded: info &>> 32 & 0xffff)
            bits = key &+ 6 &+ Int(truncatingIfNeeded: info &>> 16 & 0xff)
            guard end &- key >= 4 &+ 0x100 else { return nil }
        }
        guard end <= signedEnd, let content = der.content(0x03, at: bits, endingAt: end),
            der.word(at: content) == (0 as UInt8)
        else { return nil }
        if end != signedEnd {
            guard der.content(0xa3, at: end, endingAt: signedEnd) != nil else { return nil }
        }
        guard let value = der.endOfShort(at: signedEnd), der.content(0x03, at: value, endingAt: count) != nil else {
            return nil
        }
        spki = unsafe Range(uncheckedBounds: (key, end))
        rawKey = unsafe Range(uncheckedBounds: (content &+ 1, end))
    }
}

extension Span<UInt8> {
    /// Returns the bytes at an offset, in memory order; they are known to be inside.
    @inline(__always)
    fileprivate func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Word {
        unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: Word.self)
    }

    /// Returns the end of a SEQUENCE with less than 128 bytes of content, whose two bytes of header are inside.
    @inline(__always)
    fileprivate func endOfShort(at offset: Int) -> Int? {
        let header = UInt16(littleEndian: word(at: offset))
        guard header & 0x80ff == 0x30 else { return nil }
        return offset &+ 2 &+ Int(truncatingIfNeeded: header &>> 8)
    }

    /// Returns the start of an element's content if the element has this tag, two bytes of content or more, and the only
    /// length with which it ends at `end`.
    @inline(__always)
    fileprivate func content(_ tag: UInt32, at offset: Int, endingAt end: Int) -> Int? {
        let size = end &- offset
        guard size >= 4 else { return nil }
        let header = UInt32(bigEndian: word(at: offset))
        let length = UInt32(truncatingIfNeeded: size)
        if size >= 4 &+ 0x100 { return header == (tag &<< 24 | 0x82_0000) &+ (length &- 4) ? offset &+ 4 : nil }
        if size < 2 &+ 0x80 { return header &>> 16 == (tag &<< 8) &+ (length &- 2) ? offset &+ 2 : nil }
        // Of one byte more than the longest short form none is the shortest form.
        guard size >= 3 &+ 0x80, size < 3 &+ 0x100 else { return nil }
        return header &>> 8 == (tag &<< 16 | 0x8100) &+ (length &- 3) ? offset &+ 3 : nil
    }
}
