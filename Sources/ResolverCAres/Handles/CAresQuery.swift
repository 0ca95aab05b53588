import CProbeCAres
import ProbeKit

/// A query as c-ares writes it.
@safe struct CAresQuery: ~Copyable {
    private let pointer: UnsafeMutablePointer<UInt8>
    private let count: Int32

    /// Creates a query for a name's TXT records of class IN with recursion desired.
    init(for name: DNSName, id: UInt16, ednsSize: UInt16?) throws(CAresStatus) {
        // c-ares takes a name as a C string.
        guard !name.labels.joined().contains(0) else { throw .badName }
        guard ednsSize ?? 0 <= CAresLibrary.maximumEDNSSize else { throw .badQuery }
        var pointer: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        try CAresStatus.check(
            unsafe ares_create_query(
                Self.text(of: name), Int32(DNSClass.internet), Int32(DNSType.txt), id, 1, &pointer, &count,
                Int32(ednsSize ?? 0)))
        guard let pointer = unsafe pointer else { throw .badQuery }
        unsafe self.pointer = unsafe pointer
        self.count = count
    }

    deinit { unsafe ares_free_string(pointer) }

    /// Lends the query to a call that copies it.
    func withBytes(_ body: (UnsafePointer<UInt8>, Int32) -> Void) {
        unsafe body(pointer, count)
    }

    /// Returns the name in the form c-ares reads: a backslash escapes the next byte.
    private static func text(of name: DNSName) -> [CChar] {
        let special = [UInt8(ascii: "."), UInt8(ascii: "\\")]
        let labels = name.labels.map { $0.flatMap { special.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] } }
        return labels.joined(separator: [UInt8(ascii: ".")]).map(CChar.init(bitPattern:)) + [0]
    }
}
