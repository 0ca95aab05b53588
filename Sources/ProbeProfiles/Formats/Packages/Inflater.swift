import CProbeZlib

/// Unpacks one deflated stream (RFC 1951), into no more bytes than its caller expects.
@safe final class Inflater {
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Returns: nil if zlib is out of memory.
    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // Negative: the stream has no header of its own.
        let code = unsafe inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Returns the bytes that a stream unpacks to.
    ///
    /// - Returns: nil if it is broken, or does not unpack to exactly `count` bytes.
    func inflate(_ bytes: ArraySlice<UInt8>, count: Int) -> [UInt8]? {
        guard let available = CUnsignedInt(exactly: bytes.count), let room = CUnsignedInt(exactly: count + 1) else {
            return nil
        }
        var output = [UInt8](repeating: 0, count: count + 1)
        let isWhole = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = available
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = room
                return unsafe CProbeZlib.inflate(stream, Z_FINISH) == Z_STREAM_END
            }
        }
        guard isWhole, unsafe Int(stream.pointee.total_out) == count else { return nil }
        output.removeLast()
        return output
    }

    /// Returns the checksum that archives have of their files.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt32(
                truncatingIfNeeded: crc32(0, buffer.baseAddress, CUnsignedInt(truncatingIfNeeded: buffer.count)))
        }
    }
}
