import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@Suite(.bounded) struct LabDNSSignerTests {
    /// The bitmap of types ends with its last byte that is not zero (RFC 4034 section 4.1.2).
    @Test(
        arguments: [
            ([16], [0, 6, 0, 0, 0x80, 0, 0, 3]), ([1, 48], [0, 7, 0x40, 0, 0, 0, 0, 3, 0x80]),
            ([65], [0, 9, 0, 0, 0, 0, 0, 3, 0, 0, 0x40]),
        ] as [([UInt16], [UInt8])])
    func aDenialHasNoZeroBytesAtItsEnd(types: [UInt16], bitmap: [UInt8]) throws {
        let (zone, next) = (try DNSName("test"), try DNSName("zzz.test"))
        let signer = LabDNSSigner(zone: zone, validity: Date.now - 86_400...Date.now + 86_400)
        let records = signer.denial(from: zone, to: next, types: types)
        #expect(records.map(\.type) == [47, 46])
        #expect(records.first?.data == next.wireBytes + bitmap)
    }
}
