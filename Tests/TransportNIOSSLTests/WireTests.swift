import Testing

@testable import TransportNIOSSL

@Suite struct WireTests {
    @Test(
        arguments: [
            ([], []), ([0], []), ([0, 0], []), ([0, 3, 0, 1, 7], [[7]]), ([0, 6, 0, 1, 7, 0, 1, 8], [[7], [8]]),
            // A list that is longer than its bytes, and one whose second element is.
            ([0, 9, 0, 1, 7], []), ([0, 5, 0, 1, 7, 0, 9], [[7]]),
        ] as [([UInt8], [[UInt8]])])
    func timestamps(_ list: [UInt8], _ expected: [[UInt8]]) {
        #expect(NIOSSLWire.timestamps(in: list) == expected)
    }

    @Test(
        arguments: [
            ([], false, []), ([0, 0, 0], false, []), ([0, 0, 4, 0, 0, 1, 7], false, [[7]]),
            ([0, 0, 8, 0, 0, 1, 7, 0, 0, 1, 8], false, [[7], [8]]),
            // RFC 8446: a context first, extensions after each.
            ([0, 0, 0, 6, 0, 0, 1, 7, 0, 0], true, [[7]]),
            ([1, 9, 0, 0, 14, 0, 0, 1, 7, 0, 1, 5, 0, 0, 1, 8, 0, 1, 6], true, [[7], [8]]),
            // Cut short in the context, the list, a certificate, the extensions.
            ([9, 0], true, []), ([0, 0, 0, 9, 0, 0], true, []), ([0, 0, 7, 0, 0, 1, 7, 0, 0, 9], false, [[7]]),
            ([0, 0, 0, 5, 0, 0, 1, 7, 0], true, [[7]]),
        ] as [([UInt8], Bool, [[UInt8]])])
    func certificates(_ body: [UInt8], _ hasExtensions: Bool, _ expected: [[UInt8]]) {
        #expect(NIOSSLWire.certificates(in: body, hasExtensions: hasExtensions) == expected)
    }
}
