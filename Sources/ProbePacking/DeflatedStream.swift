import CProbeZlib

/// A stream of zlib's: raw, or the members of gzip.
@safe final class DeflatedStream: PackedStream {
    private let stream: UnsafeMutablePointer<z_stream>
    private let packing: Packing
    private(set) var isAtEnd = false

    /// - Returns: nil if zlib is out of memory.
    init?(_ packing: Packing) {
        self.packing = packing
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 16: the header and the checksum are gzip's. Negative: there is neither.
        let bits = packing == .gzip ? MAX_WBITS + 16 : -MAX_WBITS
        let code = unsafe inflateInit2_(stream, bits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        guard code == Z_OK else {
            unsafe stream.deallocate()
            return nil
        }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func step(_ bytes: ArraySlice<UInt8>, upTo room: Int) -> UnpackingStep {
        var rest = bytes
        if isAtEnd {
            // A member is followed by another one, or by the padding of a tape.
            rest = packing == .gzip ? bytes.drop { $0 == 0 } : []
            guard !rest.isEmpty else { return UnpackingStep(used: bytes.count) }
            guard unsafe inflateReset(stream) == Z_OK else { return UnpackingStep(failure: .broken) }
            isAtEnd = false
        }
        var (code, left) = (Z_OK, 0)
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
            unsafe rest.withUnsafeBufferPointer { input in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.pointee.avail_in = CUnsignedInt(clamping: input.count)
                unsafe stream.pointee.next_out = output.baseAddress
                unsafe stream.pointee.avail_out = CUnsignedInt(clamping: output.count)
                code = unsafe inflate(stream, Z_NO_FLUSH)
                left = unsafe max(0, input.count - Int(CUnsignedInt.max)) + Int(stream.pointee.avail_in)
                count = unsafe output.count - Int(stream.pointee.avail_out)
            }
        }
        isAtEnd = code == Z_STREAM_END
        let isWhole = code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR
        return UnpackingStep(unpacked: unpacked, used: bytes.count - left, failure: isWhole ? nil : .broken)
    }
}
