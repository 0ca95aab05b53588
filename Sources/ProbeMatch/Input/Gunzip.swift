import CProbeZlib

/// Unpacks a gzip file (RFC 1952) piece by piece; a file of several members is one stream of bytes.
@safe final class Gunzip {
    /// The stream is broken, or its checksum is wrong.
    struct Broken: Error {}

    private let stream: UnsafeMutablePointer<z_stream>
    /// True between two members, where the file may end.
    private(set) var isAtEnd = false
    private static let piece = 1 << 20

    /// - Returns: nil if zlib is out of memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 16: the header and the checksum are gzip's.
        let code = unsafe inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Returns true if a file begins as one of gzip's.
    static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1f, 0x8b, 0x08]) }

    /// Unpacks the next bytes of the file, and hands over what they unpack to in pieces of a megabyte at most: a small
    /// file may unpack to one without end.
    func unpack(_ bytes: [UInt8], into take: ([UInt8]) async throws -> Void) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            if isAtEnd {
                // What follows a member is another one, or the padding of a tape.
                rest = rest.drop { $0 == 0 }
                guard !rest.isEmpty else { return }
                guard unsafe inflateReset(stream) == Z_OK else { throw Broken() }
                isAtEnd = false
            }
            let (output, used) = try step(rest)
            rest = rest.dropFirst(used)
            if !output.isEmpty { try await take(output) }
            guard used > 0 || !output.isEmpty || isAtEnd else { throw Broken() }
        }
    }

    /// Unpacks until the input is used up, a member ends or a piece is full.
    private func step(_ bytes: ArraySlice<UInt8>) throws(Broken) -> (output: [UInt8], used: Int) {
        var output = [UInt8](repeating: 0, count: Self.piece)
        let (code, used, written) = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = CUnsignedInt(clamping: input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = CUnsignedInt(clamping: output.count)
                let code = unsafe inflate(stream, Z_NO_FLUSH)
                let left = unsafe (Int(stream.pointee.avail_in), Int(stream.pointee.avail_out))
                return (code, min(input.count, Int(CUnsignedInt.max)) - left.0, output.count - left.1)
            }
        }
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { throw Broken() }
        isAtEnd = code == Z_STREAM_END
        output.removeSubrange(written...)
        return (output, used)
    }
}
