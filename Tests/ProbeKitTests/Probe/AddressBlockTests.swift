import ProbeKit
import ProbeRun
import Testing

@Suite struct AddressBlockTests {
    @Test(
        arguments: [
            ("192.0.2.254/31", 2, "192.0.2.255"), ("192.0.2.7", 1, "192.0.2.7"),
            ("0.0.0.0/0", 1 << 32, "255.255.255.255"),
            ("2001:db8::/96", 1 << 32, "2001:db8::ffff:ffff"), ("2001:db8::/127", 2, "2001:db8::1"),
        ] as [(String, UInt64, String)])
    func addresses(text: String, count: UInt64, last: String) throws {
        let block = try AddressBlock(text)
        #expect(block.count == count)
        #expect("\(block[count - 1])" == last)
        #expect(block.contains(block[0]) && block.contains(block[count - 1]))
        #expect(try AddressBlock("\(block)") == block)
    }

    @Test func theLargestHasMoreThanCanBeCounted() throws {
        let block = try AddressBlock("::/0")
        #expect(block.hostBits == 128 && block.count == .max)
        #expect(block.contains(try #require(IPAddress("ffff::1"))))
        #expect(!block.contains(.loopback4))
    }

    @Test(
        arguments: [
            ("10.0.0.0/+8", "prefix length"), ("10.0.0.0/-1", "prefix length"), ("10.0.0.0/33", "prefix length"),
            ("10.0.0.0/", "prefix length"), ("good.test/24", "range"), ("10.0.0.0/8/8", "range"),
            ("10.0.0.1/8", "write 10.0.0.0/8"), ("fd00::1/8", "write fd00::/8"),
        ])
    func faults(text: String, words: String) {
        let error = #expect(throws: InputError.self) { try AddressBlock(text) }
        #expect("\(error as Any)".contains(words))
    }
}
