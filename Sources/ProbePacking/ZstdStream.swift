import CProbeZstd

/// Frames of Zstandard, one after the other.
@safe final class ZstdStream: PackedStream {
    private let context: OpaquePointer
    private(set) var isAtEnd = true
    private static let pieceBytes = 1 << 16

    /// - Returns: nil if libzstd is out of memory.
    init?() {
        guard let context = unsafe ZSTD_createDCtx() else { return nil }
        unsafe self.context = context
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    func step(_ bytes: ArraySlice<UInt8>, upTo room: Int) -> UnpackingStep {
        // The library keeps back all that it unpacks in a call that fails: bytes are given in small pieces, and the last
        // four, a checksum, by themselves.
        let bytes = bytes.prefix(min(Self.pieceBytes, max(1, bytes.count - 4)))
        var (code, used) = (0, 0)
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
            unsafe bytes.withUnsafeBufferPointer { input in
                var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
                var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                code = unsafe ZSTD_decompressStream(context, &target, &source)
                (used, count) = unsafe (source.pos, target.pos)
            }
        }
        guard ZSTD_isError(code) == 0 else {
            isAtEnd = false
            let isWindow = ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge
            return UnpackingStep(unpacked: unpacked, used: used, failure: isWindow ? .window : .broken)
        }
        isAtEnd = code == 0
        return UnpackingStep(unpacked: unpacked, used: used)
    }
}
