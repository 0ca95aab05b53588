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
}
