import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbePins

/// The edges of a certificate's layout, on certificates of filler bytes: each with the sizes that a row asks for, read by
/// the walk and by the shortcut.
@Suite struct CertificateLayoutTests {
    private struct Layout {
        var version: EditableDER? = EditableDER(0xa0, [EditableDER(2, bytes: [2])])
        var serial = 16
        var algorithm = 10
        var issuer = 60
        var subject = 60
        var keyAlgorithm = 19
        /// The content of the key's BIT STRING, of which the first byte counts unused bits.
        var key = 66
        var extensions: Int? = 100
        /// Bytes in the place of the extensions.
        var others: [UInt8] = []
        var signatureAlgorithm = 10
        var signature = 70
        var times: [UInt8] = [23, 23]

        static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            let length: [UInt8] =
                switch content.count {
                case ..<0x80: [UInt8(content.count)]
                case ..<0x100: [0x81, UInt8(content.count)]
                case ..<0x10000: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xff)]
                default:
                    [0x83, UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff)]
                }
            return [tag] + length + content
        }

        private static func zeros(_ tag: UInt8, _ count: Int) -> [UInt8] {
            element(tag, [UInt8](repeating: 0, count: count))
        }

        var spki: [UInt8] { Self.element(0x30, Self.zeros(0x30, keyAlgorithm) + Self.zeros(3, key)) }

        var body: [UInt8] {
            let validity = times.flatMap { Self.zeros($0, $0 == 23 ? 13 : 15) }
            return (version?.encoded ?? []) + Self.zeros(2, serial) + Self.zeros(0x30, algorithm)
                + Self.zeros(0x30, issuer) + Self.element(0x30, validity) + Self.zeros(0x30, subject) + spki + last
        }

        private var last: [UInt8] { extensions.map { Self.zeros(0xa3, $0) } ?? others }
        private var end: [UInt8] { Self.zeros(0x30, signatureAlgorithm) + Self.zeros(3, signature) }

        var der: [UInt8] { Self.element(0x30, Self.element(0x30, body) + end) }

        /// The place of the SubjectPublicKeyInfo in the whole.
        var place: Range<Int> {
            let upper = der.count - end.count - last.count
            return upper - spki.count..<upper
        }
    }

    private static func layout(_ change: (inout Layout) -> Void = { _ in }) -> Layout {
        var layout = Layout()
        change(&layout)
        return layout
    }

    /// Returns the layout whose body has a number of bytes, made by its extensions.
    private static func layout(body count: Int, _ change: (inout Layout) -> Void = { _ in }) -> Layout {
        var found = layout(change)
        for size in 0...count {
            found.extensions = size
            if found.body.count == count { return found }
        }
        preconditionFailure("no extensions make a body of \(count) bytes")
    }

    /// Returns the layout whose certificate has a number of bytes, made by its signature.
    private static func layout(whole count: Int) -> Layout {
        var found = layout()
        found.signature = count - found.der.count + found.signature - 6
        while found.der.count < count { found.signature += 1 }
        return found
    }

    private static let rows: [(reason: Comment, layout: Layout, isUsual: Bool)] = [
        ("as usual", layout(), true), ("of version 1", layout { $0.version = nil }, false),
        ("a serial number of 63 bytes", layout { $0.serial = 63 }, true),
        ("a serial number of 64 bytes", layout { $0.serial = 64 }, false),
        ("an algorithm of 31 bytes", layout { $0.algorithm = 31 }, true),
        ("an algorithm of 32 bytes", layout { $0.algorithm = 32 }, false),
        ("an algorithm of 33 bytes", layout { $0.algorithm = 33 }, false),
        ("an issuer of 127 bytes", layout { $0.issuer = 127 }, true),
        ("an issuer of 128 bytes", layout { $0.issuer = 128 }, false),
        ("a subject of 127 bytes", layout { $0.subject = 127 }, true),
        ("a subject of 128 bytes", layout { $0.subject = 128 }, false),
        ("an empty subject", layout { $0.subject = 0 }, true),
        ("a GeneralizedTime", layout { $0.times = [23, 24] }, false),
        ("256 bytes to sign", layout(body: 256) { $0.issuer = 20 }, true),
        ("255 bytes to sign", layout(body: 255) { $0.issuer = 20 }, false),
        (
            "no extensions",
            layout {
                $0.extensions = nil; $0.issuer = 120
            }, true
        ),
        ("extensions of 127 bytes", layout { $0.extensions = 127 }, true),
        ("extensions of 128 bytes", layout { $0.extensions = 128 }, true),
        ("extensions of 255 bytes", layout { $0.extensions = 255 }, true),
        ("extensions of 256 bytes", layout { $0.extensions = 256 }, true),
        (
            "extensions of 2 bytes",
            layout {
                $0.extensions = 2; $0.issuer = 120
            }, true
        ),
        (
            "a key of 127 bytes",
            layout {
                $0.key = 104; $0.keyAlgorithm = 19
            }, true
        ),
        ("a key of 128 bytes", layout { $0.key = 105 }, false), ("a key of 255 bytes", layout { $0.key = 231 }, false),
        ("a key of 256 bytes", layout { $0.key = 232 }, true), ("a key of 257 bytes", layout { $0.key = 233 }, true),
        (
            "a key of 2048 bits",
            layout {
                $0.key = 271; $0.keyAlgorithm = 13
            }, true
        ),
        (
            "a key's algorithm of 127 bytes",
            layout {
                $0.keyAlgorithm = 127; $0.key = 300
            }, true
        ),
        (
            "a key's algorithm of 128 bytes",
            layout {
                $0.keyAlgorithm = 128; $0.key = 300
            }, false
        ),
        ("a key of one byte", layout { $0.key = 2 }, true),
        ("a signature's algorithm of 127 bytes", layout { $0.signatureAlgorithm = 127 }, true),
        ("a signature's algorithm of 128 bytes", layout { $0.signatureAlgorithm = 128 }, false),
        ("a signature of 2 bytes", layout { $0.signature = 2 }, true),
        ("a signature of 256 bytes", layout { $0.signature = 257 }, true),
        ("65,535 bytes", layout(whole: 0xffff), true), ("65,536 bytes", layout(whole: 0x10000), false),
        ("1 MiB", layout(whole: 1 << 20), false),
    ]

    @Test(arguments: rows.indices) func theShortcutIsForTheUsual(row: Int) throws {
        let (reason, layout, isUsual) = Self.rows[row]
        let der = layout.der
        let usual = CommonLayout(der.span)
        #expect((usual != nil) == isUsual, reason)
        let walked = try CertificateSlices.walk(der.span)
        #expect(walked.spki == layout.place, reason)
        #expect(walked.rawKey == layout.place.upperBound - layout.key + 1..<layout.place.upperBound, reason)
        guard let usual else { return }
        #expect(usual.spki == walked.spki, reason)
        #expect(usual.rawKey == walked.rawKey, reason)
        // Whatever is cut off makes it another.
        for length in der.count - 80..<der.count {
            let cut = Array(der.prefix(length))
            #expect(CommonLayout(cut.span) == nil, reason)
        }
    }

    /// Lengths in another form than the shortest are not DER, and no shortcut leads past that.
    @Test(
        arguments: [
            ([0xa3, 0x80], 128), ([0xa3, 0x81, 0x7f], 127), ([0xa3, 0x82, 0, 0xff], 255), ([0xa3, 0x81, 0xff], 256),
            ([0xa3, 0x82, 0, 0x7f], 127), ([0x83, 0x7f], 127), ([0xa4, 0x81, 0xff], 255),
        ] as [([UInt8], Int)])
    func otherLengthsAreNotUsual(header: [UInt8], count: Int) {
        var layout = Self.layout { $0.extensions = nil }
        layout.others = header + [UInt8](repeating: 0, count: count)
        let der = layout.der
        #expect(CommonLayout(der.span) == nil)
    }

    // MARK: Memory

    private static let cut = [0, 12, 16, 60, 127].flatMap { size in
        [Layout.init(extensions: 4), Layout.init(extensions: nil), Layout.init(key: 300, extensions: 300)].map {
            layout in
            var layout = layout
            (layout.issuer, layout.subject, layout.serial) = (size, 127 - size, min(size + 2, 63))
            return layout
        }
    }

    /// Bytes that end anywhere, and say that they don't: nothing behind them is read.
    @Test(arguments: cut.indices) func nothingBehindTheBytesIsRead(index: Int) throws {
        let page = try GuardedPage()
        let der = Self.cut[index].der
        for count in 0...der.count {
            var bytes = Array(der.prefix(count))
            for signedEnd in Set([264, 265, count - 8, count - 4, count - 1, count]).filter({ $0 >= 8 && $0 <= count })
            {
                if count >= 8 {
                    bytes.replaceSubrange(
                        0..<8,
                        with: [0x30, 0x82, UInt8((count - 4) >> 8), UInt8((count - 4) & 0xff)]
                            + [0x30, 0x82, UInt8((signedEnd - 8) >> 8), UInt8((signedEnd - 8) & 0xff)])
                }
                page.withBytes(ending: bytes) { lent in
                    let usual = CommonLayout(lent)
                    let walked = try? CertificateSlices.walk(lent)
                    #expect(usual == nil || usual?.spki == walked?.spki && usual?.rawKey == walked?.rawKey)
                }
            }
            page.withBytes(ending: Array(der.prefix(count))) { lent in
                #expect(
                    (CommonLayout(lent) != nil || (try? CertificateSlices.walk(lent)) != nil) == (count == der.count))
            }
        }
    }

    /// Elements that end with the bytes, where one more is looked for.
    @Test func theWalkEndsWithTheBytes() throws {
        let page = try GuardedPage()
        var layout = Self.layout { $0.extensions = nil }
        layout.others = [0x81]
        let ends: [[UInt8]] = [
            [], [0x30], [0x30, 0], [0x30, 2, 0x30, 0], [0x30, 3, 0x30, 1, 0xa0],
            Layout.element(0x30, Layout.element(0x30, layout.body)),
        ]
        for bytes in ends {
            page.withBytes(ending: bytes) { lent -> Void in
                #expect(throws: CertificateFormatError.self) { () throws in try CertificateSlices.walk(lent) }
            }
        }
    }

    // MARK: Refusals of the walk

    private func refusal(_ der: [UInt8]) -> CertificateFormatError? {
        do throws(CertificateFormatError) {
            _ = try CertificateSlices(certificate: der.span)
            return nil
        } catch {
            return error
        }
    }

    private func refusal(spki der: [UInt8]) -> CertificateFormatError? {
        do throws(CertificateFormatError) {
            _ = try CertificateSlices(spki: der.span)
            return nil
        } catch {
            return error
        }
    }

    @Test func nothingIsLargerThanOneMebibyte() {
        #expect(refusal(Self.layout(whole: 1 << 20).der) == nil)
        let larger = refusal(Self.layout(whole: 1 << 20 + 1).der)
        #expect(larger?.reason == .tooLarge)
        #expect(larger?.offset == 0)
        var key = Self.layout()
        key.key = 1 << 20 - key.spki.count
        while key.spki.count < 1 << 20 { key.key += 1 }
        #expect(refusal(spki: key.spki) == nil)
        let slices = try? CertificateSlices(spki: key.spki.span)
        #expect(slices?.spki == 0..<1 << 20)
        key.key += 1
        #expect(refusal(spki: key.spki)?.reason == .tooLarge)
        #expect(refusal(spki: key.spki)?.offset == 0)
    }

    /// The BIT STRING of a key counts its unused bits, of which there are none.
    @Test func aKeyIsOfWholeBytes() {
        #expect(refusal(spki: [0x30, 5, 0x30, 0, 3, 1, 0]) == nil)
        #expect(refusal(spki: [0x30, 4, 0x30, 0, 3, 0])?.reason == .unusedBits)
        #expect(refusal(spki: [0x30, 6, 0x30, 0, 3, 2, 1, 0])?.reason == .unusedBits)
        #expect(refusal(spki: [0x30, 6, 0x30, 0, 3, 2, 1, 0])?.offset == 6)
    }

    /// X.690 section 10.1: the shortest form of a length, and at most three bytes of it.
    @Test(
        arguments: [
            ([0x30, 0x80], .badLength), ([0x30, 0x81], .truncated), ([0x30, 0x81, 0x7f], .badLength),
            ([0x30, 0x81, 0x80], .truncated), ([0x30, 0x82, 1], .truncated), ([0x30, 0x82, 0, 0xff], .badLength),
            ([0x30, 0x82, 1, 0], .truncated), ([0x30, 0x83, 1, 0], .truncated),
            ([0x30, 0x83, 0, 0xff, 0xff], .badLength),
            ([0x30, 0x83, 1, 0, 0], .truncated), ([0x30, 0x84, 1, 0, 0, 0], .badLength), ([], .truncated),
            ([0x30], .truncated), ([0x31], .unexpectedTag), ([0x31, 0], .unexpectedTag), ([0x30, 1], .truncated),
            ([0x30, 0, 0], .trailingBytes), ([0x30, 2, 0x31, 0], .unexpectedTag), ([0x30, 1, 0x30], .truncated),
        ] as [([UInt8], CertificateFormatError.Reason)])
    func aLengthHasOneForm(der: [UInt8], reason: CertificateFormatError.Reason) {
        #expect(refusal(spki: der)?.reason == reason)
    }

    /// The lengths that need one, two and three bytes more are read.
    @Test(arguments: [0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xf_ff00]) func longKeysAreRead(size: Int) throws {
        let layout = Self.layout { $0.key = size }
        let slices = try CertificateSlices(spki: layout.spki.span)
        #expect(slices.rawKey.count == size - 1)
        #expect(slices.rawKey.upperBound == layout.spki.count)
    }

    /// The fields after the key are whole elements of any tag of one byte.
    @Test(
        arguments: [
            ([0x81, 1, 0], nil), ([0x81, 1, 0, 0x82, 0], nil), ([0x1e, 0], nil), ([0x1f, 0], .unexpectedTag),
            ([0xbf, 0], .unexpectedTag), ([0x81], .truncated), ([0x81, 2, 0], .truncated), ([0x1f], .unexpectedTag),
        ] as [([UInt8], CertificateFormatError.Reason?)])
    func fieldsAfterTheKey(fields: [UInt8], reason: CertificateFormatError.Reason?) {
        var layout = Self.layout { $0.extensions = nil }
        layout.others = fields
        #expect(refusal(layout.der)?.reason == reason)
    }
}
