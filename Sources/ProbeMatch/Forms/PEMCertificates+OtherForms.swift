extension PEMCertificates {
    /// The most bytes of a DER header, and the first one of the element in it.
    private static let header = 6

    /// Returns the place, in the text between blocks, of DER at the beginning of a line, or of JSON right after a block: it is
    /// not read, and must not count as searched. Text has nothing like the beginning of DER, which is not UTF-8.
    static func otherForm(in text: ArraySlice<UInt8>, isAfterBlock: Bool) -> Int? {
        // Behind white space, since a file with a byte order mark may follow one that ends with a line break.
        if isAfterBlock, let start = text.firstIndex(where: { !InputForm.isBlank($0) }),
            InputForm.isJSON(text[start...])
        {
            return start
        }
        var rest = text
        while !rest.isEmpty {
            if DERElement.isCertificate(rest) { return rest.startIndex }
            guard let end = rest.firstIndex(where: { $0 == 0x0a || $0 == 0x0d }) else { return nil }
            rest = rest[(end + 1)...]
        }
        return nil
    }

    /// Returns a boundary that cuts no beginning of another form in two, of which neither part would be recognised.
    ///
    /// - Parameter start: the offset after the last block.
    static func keepingOtherForm(whole boundary: Int, in bytes: [UInt8], after start: Int, limit: Int) -> Int {
        var boundary = boundary
        if let json = jsonBeginning(in: bytes[start...]), json.start < boundary, boundary < json.end,
            bytes.count - json.start <= limit
        {
            boundary = json.start
        }
        // A length may have the bytes of line breaks.
        while let place = (max(start, boundary - header + 1)..<boundary).first(where: { place in
            (place == start || bytes[place - 1] == 0x0a || bytes[place - 1] == 0x0d)
                && mayBeCertificate(bytes[place...])
        }) {
            boundary = place
        }
        return boundary
    }

    /// Returns true for the beginning of a certificate, as far as it has come.
    private static func mayBeCertificate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count < header else { return DERElement.isCertificate(bytes) }
        return bytes.first == 0x30 && bytes.dropFirst().first.map { (0x81...0x83).contains($0) } ?? true
    }

    /// Returns the beginning of JSON as far as it is recognised by, behind white space; its end is beyond the text as long as
    /// more of it has to come. Nil for another text.
    private static func jsonBeginning(in text: ArraySlice<UInt8>) -> (start: Int, end: Int)? {
        guard let start = text.firstIndex(where: { !InputForm.isBlank($0) }) else { return nil }
        var places = text[start...].indices.dropFirst(JSONCertificates.byteOrderMark(of: text[start...]))
            .lazy.filter { !InputForm.isBlank(text[$0]) }.makeIterator()
        guard let first = places.next() else { return (start, .max) }
        if text[first] == 0xef, text.endIndex - first < 3 { return (start, .max) }
        guard text[first] == UInt8(ascii: "{") || text[first] == UInt8(ascii: "[") else { return nil }
        return (start, places.next().map { $0 + 1 } ?? .max)
    }
}
