import Foundation
import ProbeKit
import ProbePins

/// Certificates in JSON, wherever they stand in it: base64 of DER, PEM, entries of a log, and records that have a
/// certificate's digests under the names that our own reports give them.
enum JSONCertificates {
    /// Returns true if a file that begins so is a single text, which goes over many lines.
    ///
    /// Its first line is not a text by itself, and most of those that follow are not either: a broken line may be the
    /// first of many that are whole.
    static func isOneText(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.dropFirst(byteOrderMark(of: bytes)).split(separator: 0x0a, maxSplits: 64)
            .filter { !isBlank($0) }
        guard let first = lines.first, text(first) == nil else { return false }
        // One line that has an end and goes on is the beginning of such a text.
        guard lines.count > 1 else { return bytes.contains(0x0a) && isOpen(first) }
        // The last one may be cut, or be all of the rest.
        let following = lines.dropFirst().dropLast().prefix(8)
        return following.count { text($0) != nil } * 2 <= following.count
    }

    /// Returns true if a record that was cut short comes before others, as from a writer that was started again: what follows
    /// the break can't go on with it (RFC 8259 sections 4 and 7).
    static func hasTornLine(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.dropFirst(byteOrderMark(of: bytes)).split(separator: 0x0a, maxSplits: 64)
            .filter { !isBlank($0) }
        guard lines.count > 1 else { return false }
        let first = JSONNesting(lines[0])
        let last = lines[0].last { ![0x20, 0x09, 0x0d].contains($0) }
        return first.isInString
            || first.open.last == UInt8(ascii: "{") && last != UInt8(ascii: ":") && lines[1].first == UInt8(ascii: "{")
    }

    /// Returns true if a text ends within an object, an array or a string (RFC 8259 section 2): more of it has to follow.
    ///
    /// This costs a fraction of what reading the text does, which others do at the same time.
    static func isOpen(_ bytes: ArraySlice<UInt8>) -> Bool {
        let nesting = JSONNesting(bytes)
        return !nesting.open.isEmpty || nesting.isInString
    }

    /// Returns the number of bytes of the mark that some editors write before a text.
    static func byteOrderMark(of bytes: some Collection<UInt8>) -> Int {
        bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { [0x20, 0x09, 0x0d].contains($0) }
    }

    /// Returns an object or array. The values of its numbers are of no use here, and may be replaced.
    private static func text(_ bytes: ArraySlice<UInt8>) -> Any? {
        if let value = try? JSONSerialization.jsonObject(with: Data(bytes)) { return value }
        // Bytes of UTF-16 are not the characters that they look like.
        guard !bytes.contains(0) else { return nil }
        let zeroed = ZeroedNumbers(bytes)
        guard zeroed.count > 0 else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(zeroed.text))
    }

    static func read(_ block: InputBlock) -> CertificateBatch {
        var batch = CertificateBatch()
        let mark = block.offset == 0 ? byteOrderMark(of: block.bytes) : 0
        if block.form == .json, read(block.bytes[mark...], .init(line: 1), &batch) { return batch }
        var line = block.line
        for bytes in block.bytes[mark...].split(separator: 0x0a, omittingEmptySubsequences: false) {
            defer { line += 1 }
            guard !isBlank(bytes) else { continue }
            if !read(bytes, .init(line: line), &batch) { batch.appendUndecoded(at: .init(line: line)) }
        }
        return batch
    }

    /// Adds the certificates of an object or array; false if the bytes are neither.
    ///
    /// A dictionary has one of the members whose names are equal, or are one text by Unicode's canonical equivalence. Where it
    /// has fewer than the text, all are looked at by other names.
    private static func read(
        _ bytes: ArraySlice<UInt8>, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch
    ) -> Bool {
        guard let value = text(bytes) else { return false }
        let before = batch.extent
        let members = JSONNesting(bytes).members
        guard walk(value, place, &batch) < members else { return true }
        batch.cut(to: before)
        let renamed = RenamedMembers(bytes)
        let isWhole = walk(text(renamed.text[...]) ?? value, place, &batch) >= members
        // It is open which of two belongs to the others beside them.
        if !isWhole || !renamed.repeated.isDisjoint(with: joinedKeys) { batch.appendUndecoded(at: place) }
        return true
    }

    /// Adds the certificates of a value.
    ///
    /// - Returns: the number of members of its objects.
    private static func walk(
        _ value: Any, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch
    ) -> Int {
        switch value {
        case let text as String:
            read(text, place, &batch)
            return 0
        case let list as [Any]:
            var members = 0
            for (index, element) in list.enumerated() where mayHaveCertificates(element) {
                members += walk(element, place.within("[\(index)]"), &batch)
            }
            return members
        case let object as [String: Any]:
            var place = place
            var members = object.count
            if let time = object["timestamp"] as? String { place.seen = (try? RFC3339.parse(time)) ?? place.seen }
            let leaf = object["leaf_input"] as? String
            if let leaf { read(leaf, object["extra_data"] as? String ?? "", place, &batch) }
            let digests = digestKeys.compactMap { key, kind -> Pin? in
                guard let hex = object[key] as? String, let digest = Hex.decode(hex).flatMap(PinDigest.init) else {
                    return nil
                }
                return Pin(kind: kind, digest: digest)
            }
            if !digests.isEmpty { batch.append(digests, at: place) }
            for (key, element) in object.sorted(by: { $0.key < $1.key }) where mayHaveCertificates(element) {
                // The texts of an entry were read together.
                if leaf != nil, element is String, entryKeys.contains(key) { continue }
                members += walk(element, place.within(key: key), &batch)
            }
            return members
        default: return 0
        }
    }

    /// Returns false for a number, a truth value or null, of which a line may have millions: they need no place.
    private static func mayHaveCertificates(_ value: Any) -> Bool {
        value is String || value is [Any] || value is [String: Any]
    }

    private static let digestKeys: [(String, PinKind)] = [
        ("certSHA256", .cert), ("spkiSHA256", .spki), ("rawKeySHA256", .rawkey),
    ]

    private static let entryKeys = ["leaf_input", "extra_data"]
    /// The names of values that are read together with others of the same object.
    private static let joinedKeys = Set(entryKeys + digestKeys.map(\.0))

    /// A log's entry. One that can't be read is reported; its certificate may be the one that is looked for.
    private static func read(
        _ leaf: String, _ extra: String, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch
    ) {
        guard let input = Data(base64Encoded: leaf), let data = Data(base64Encoded: extra),
            let entry = CTEntry(leafInput: Array(input), extraData: Array(data))
        else { return batch.appendUndecoded(at: place) }
        entry.append(to: &batch, at: place)
    }

    /// Most texts are not certificates: only those that begin as one, or have a block of PEM, are decoded.
    private static func read(_ text: String, _ place: CertificateBatch.Place, _ batch: inout CertificateBatch) {
        let bytes = Array(text.utf8)
        let start = bytes.firstIndex { ![0x20, 0x09, 0x0a, 0x0d].contains($0) } ?? bytes.count
        if bytes[start...].starts(with: "MI".utf8) {
            guard let der = decoded(bytes[start...]) else { return }
            // Keys, requests and signatures begin alike.
            guard (try? CertificateSlices(certificate: der.span)) != nil else { return }
            batch.append(der, at: place)
        } else if bytes.firstRange(of: PEMCertificates.begin, in: bytes.indices) != nil {
            let block = InputBlock(input: "", form: .pem, bytes: bytes, line: 1, offset: 0, nextLine: 1)
            let inner = PEMCertificates.read(block)
            for range in inner.certificates { batch.append(inner.bytes[range], at: place) }
            for _ in inner.undecoded { batch.appendUndecoded(at: place) }
        }
    }

    /// Decodes base64 of either alphabet, padded or not, in one line or many (RFC 4648 sections 4 and 5).
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        if let data = Data(base64Encoded: Data(text)) { return Array(data) }
        var digits = text.filter { ![0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: "=")].contains($0) }.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while digits.count % 4 != 0 { digits.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(digits)).map(Array.init)
    }
}

extension CertificateBatch.Place {
    /// The number of bytes from which a path stays as it is, and the longest key in one. Every element of an array copies the
    /// path so far, so that without a limit the work grows with the product of the key's length and the number of elements.
    private static let (maximumPath, maximumKey) = (1024, 256)

    /// Returns the same place, one step further in.
    fileprivate func within(_ step: String) -> CertificateBatch.Place {
        let path = path ?? ""
        guard path.utf8.count < Self.maximumPath else { return self }
        var place = self
        place.path = path + step
        return place
    }

    /// Returns the same place, in the value of a key.
    fileprivate func within(key: String) -> CertificateBatch.Place {
        let shown = PrintableText.cut(key, to: Self.maximumKey)
        return within(path == nil ? shown : ".\(shown)")
    }
}
