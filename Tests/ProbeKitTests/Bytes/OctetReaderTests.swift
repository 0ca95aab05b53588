import ProbeKit
import Testing

/// Every step ends at the end of the bytes.
@Suite struct OctetReaderTests {
    @Test func numbersAndVectorsAreReadInOrder() {
        var reader = OctetReader([7, 1, 2, 0, 0, 3, 8, 9, 10, 0, 4][...])
        #expect(reader.number(1) == 7)
        #expect(reader.number(2) == 0x0102)
        #expect(reader.vector(3).map(Array.init) == [8, 9, 10])
        #expect(reader.vector(1)?.isEmpty == true)
        #expect(reader.position == 10 && !reader.isEmpty)
        #expect(reader.take(1).map(Array.init) == [4])
        #expect(reader.isEmpty && !reader.isShort)
    }

    /// Not even what would still be there: a field is missing before it.
    @Test func nothingIsReadBehindAMissingField() {
        for bytes in [[0, 3, 1, 2], [1], []] as [[UInt8]] {
            var reader = OctetReader(bytes[...])
            #expect(reader.vector(2) == nil)
            #expect(reader.isShort)
            #expect(reader.take(0) == nil)
            #expect(reader.number(1) == nil)
        }
    }

    @Test func theLargestNumberIsRead() {
        var reader = OctetReader([UInt8](repeating: 0xff, count: 8)[...])
        #expect(reader.number(8) == .max)
    }
}
