import ProbeKit
import ProbeNet
import ProbeTestSupport
import Testing

/// The certificates of TLS Certificate messages, byte for byte or not at all.
@Suite(.bounded) struct CertificateMessageTests {
    private static func vector(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 0xff), UInt8(bytes.count & 0xff)] + bytes
    }

    private static func message(_ certificates: [[UInt8]]) -> [UInt8] {
        [11] + vector(vector(certificates.flatMap(vector)))
    }

    @Test(
        arguments: [
            // RFC 5246 section 7.4.2.
            ([0, 0, 0], false, []), ([0, 0, 4, 0, 0, 1, 7], false, [[7]]),
            ([0, 0, 8, 0, 0, 1, 7, 0, 0, 1, 8], false, [[7], [8]]),
            // RFC 8446 section 4.4.2: an empty context first, extensions after each.
            ([0, 0, 0, 0], true, []), ([0, 0, 0, 6, 0, 0, 1, 7, 0, 0], true, [[7]]),
            ([0, 0, 0, 14, 0, 0, 1, 7, 0, 1, 5, 0, 0, 1, 8, 0, 1, 6], true, [[7], [8]]),
        ] as [([UInt8], Bool, [[UInt8]])])
    func certificatesAreRead(_ body: [UInt8], _ hasExtensions: Bool, _ expected: [[UInt8]]) {
        let message = [11] + Self.vector(body)
        #expect(CertificateMessage.certificates(in: message, hasExtensions: hasExtensions) == expected)
    }

    @Test(
        arguments: [
            // Cut short in the list's length, the list, a certificate's length, a certificate.
            ([], false), ([0, 0], false), ([0, 0, 5, 0, 0, 1, 7], false), ([0, 0, 6, 0, 0, 1, 7, 0, 0], false),
            ([0, 0, 4, 0, 0, 2, 7], false),
            // Bytes after the list, and a certificate without any.
            ([0, 0, 4, 0, 0, 1, 7, 9], false), ([0, 0, 3, 0, 0, 0], false),
            // Cut short in the context, the list, the extensions; extensions left out.
            ([], true), ([0, 0, 0, 9, 0, 0], true), ([0, 0, 0, 5, 0, 0, 1, 7, 0], true),
            ([0, 0, 0, 6, 0, 0, 1, 7, 0, 1], true), ([0, 0, 0, 4, 0, 0, 1, 7], true),
            // A context that answers a request, and bytes after the list.
            ([1, 9, 0, 0, 6, 0, 0, 1, 7, 0, 0], true), ([0, 0, 0, 6, 0, 0, 1, 7, 0, 0, 9], true),
            // The form of the other versions.
            ([0, 0, 0, 6, 0, 0, 1, 7, 0, 0], false), ([0, 0, 4, 0, 0, 1, 7], true),
        ] as [([UInt8], Bool)])
    func malformedBodiesAreRefused(_ body: [UInt8], _ hasExtensions: Bool) {
        let message = [11] + Self.vector(body)
        #expect(CertificateMessage.certificates(in: message, hasExtensions: hasExtensions) == nil)
    }

    @Test(
        arguments: [
            [], [11], [11, 0, 0], [11, 0, 0, 8, 0, 0, 4, 0, 0, 1, 7], [11, 0, 0, 6, 0, 0, 4, 0, 0, 1, 7],
            [12, 0, 0, 7, 0, 0, 4, 0, 0, 1, 7],
        ] as [[UInt8]])
    func malformedHeadersAreRefused(_ message: [UInt8]) {
        #expect(CertificateMessage.certificates(in: message, hasExtensions: false) == nil)
    }

    @Test func theNumberOfCertificatesIsBounded() {
        let most = [[UInt8]](repeating: [7], count: HandshakeLimits.certificates)
        #expect(CertificateMessage.certificates(in: Self.message(most), hasExtensions: false) == most)
        #expect(CertificateMessage.certificates(in: Self.message(most + [[7]]), hasExtensions: false) == nil)
    }

    // MARK: The client's

    @Test(
        arguments: [
            // RFC 5246 section 7.4.6: the list's length alone, or with a certificate.
            ([0, 0, 0], false, false), ([0, 0, 4, 0, 0, 1, 7], false, true),
            // RFC 8446 section 4.4.2, with an empty context in the handshake, and with the request's after it.
            ([0, 0, 0, 0], false, false), ([0, 0, 0, 6, 0, 0, 1, 7, 0, 0], false, true),
            ([2, 8, 9, 0, 0, 0], true, false), ([2, 8, 9, 0, 0, 6, 0, 0, 1, 7, 0, 0], true, true),
        ] as [([UInt8], Bool, Bool)])
    func theClientsCertificatesAreSeen(_ body: [UInt8], isLate: Bool, _ expected: Bool) {
        let message = [11] + Self.vector(body)
        let isAnswered = unsafe message.withUnsafeBytes {
            unsafe CertificateMessage.hasCertificates($0, isLate: isLate)
        }
        #expect(isAnswered == expected)
    }

    @Test(arguments: [[], [20, 0, 0, 12, 0, 0, 4, 0, 0, 1, 7, 0], [1]] as [[UInt8]])
    func anotherMessageIsNotOne(_ message: [UInt8]) {
        let isAnswered = unsafe message.withUnsafeBytes {
            unsafe CertificateMessage.hasCertificates($0, isLate: false)
        }
        #expect(isAnswered == nil)
    }
}
