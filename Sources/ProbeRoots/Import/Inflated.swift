import CProbeZlib

/// Deflated bytes, unpacked as a whole into no more than a given number of bytes.
enum Inflated {
    /// The wrapping of the deflated stream.
    enum Wrapping {
        /// None, as in a ZIP archive (RFC 1951).
        case none
        /// That of gzip, with a checksum, which zlib compares (RFC 1952).
        case gzip
    }

    /// The reason why there are no bytes.
    enum Failure: Error {
        case broken
        case tooLarge
    }

    private static let piece = 1 << 16

    /// Unpacks a stream; of gzip, all of its members.
    static func bytes(
        _ packed: ArraySlice<UInt8>, _ wrapping: Wrapping, limit: Int
    ) throws(Failure) -> [UInt8] {
        var stream = unsafe z_stream()
        let bits = wrapping == .gzip ? MAX_WBITS + 16 : -MAX_WBITS
        guard unsafe inflateInit2_(&stream, bits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .broken
        }
        defer { unsafe inflateEnd(&stream) }
        var rest = packed
        var unpacked: [UInt8] = []
        while true {
            let (code, used, output) = unsafe step(&stream, rest)
            rest = rest.dropFirst(used)
            unpacked += output
            guard unpacked.count <= limit else { throw .tooLarge }
            switch code {
            case Z_STREAM_END:
                // What follows a member is another one, or the padding of a tape.
                rest = wrapping == .gzip ? rest.drop { $0 == 0 } : []
                if rest.isEmpty { return unpacked }
                guard unsafe inflateReset(&stream) == Z_OK else { throw .broken }
            case Z_OK where used > 0 || !output.isEmpty: continue
            default: throw .broken
            }
        }
    }

    private static func step(_ stream: inout z_stream, _ bytes: ArraySlice<UInt8>) -> (CInt, Int, [UInt8]) {
        var output = [UInt8](repeating: 0, count: piece)
        let (code, used, written) = unsafe output.withUnsafeMutableBufferPointer { output in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = CUnsignedInt(clamping: input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = CUnsignedInt(clamping: output.count)
                let code = unsafe inflate(&stream, Z_NO_FLUSH)
                return unsafe (code, input.count - Int(stream.avail_in), output.count - Int(stream.avail_out))
            }
        }
        output.removeSubrange(written...)
        return (code, used, output)
    }

    /// Returns the checksum that a ZIP archive has of its files.
    static func checksum(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBufferPointer { unsafe Int(crc32(0, $0.baseAddress, CUnsignedInt(clamping: $0.count))) }
    }
}
