import CProbeZstd
import ProbePlatform
import Synchronization

/// Packs what is written to a file little by little, as one frame of Zstandard (RFC 8878).
///
/// Each piece ends with a block, so that whoever has it can unpack all that was given until then. The frame has no
/// checksum: a block without content can end it even when its writer was killed (``ZstdBlocks``).
package final class ZstdWriter: Sendable {
    /// The end of a frame that stopped between two blocks: the last one, raw and empty.
    package static let lastBlock: [UInt8] = [1, 0, 0]

    @safe private struct Frame: ~Copyable {
        let context: OpaquePointer
        /// True if something was given since the frame before ended.
        var isBegun = false

        deinit { unsafe ZSTD_freeCCtx(context) }
    }

    private let frame: Mutex<Frame>

    /// - Returns: nil if libzstd is out of memory.
    package init?() {
        guard let context = unsafe ZSTD_createCCtx() else { return nil }
        frame = unsafe Mutex(Frame(context: context))
    }

    /// Returns bytes that unpack to the given ones, after all that were returned before.
    ///
    /// - Returns: nil if libzstd is out of memory.
    package func pack(_ bytes: [UInt8]) -> [UInt8]? {
        guard !bytes.isEmpty else { return [] }
        return frame.withLock { frame in
            frame.isBegun = true
            return Self.packed(bytes, ZSTD_e_flush, in: frame)
        }
    }

    /// Returns what ends the frame; nothing if none was begun.
    package func end() -> [UInt8] {
        frame.withLock { frame in
            guard frame.isBegun else { return [] }
            frame.isBegun = false
            return Self.packed([], ZSTD_e_end, in: frame) ?? Self.lastBlock
        }
    }

    private static func packed(
        _ bytes: [UInt8], _ directive: ZSTD_EndDirective, in frame: borrowing Frame
    ) -> [UInt8]? {
        let room = ZSTD_CStreamOutSize()
        var packed: [UInt8] = []
        var (left, read) = (0, 0)
        repeat {
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
                unsafe bytes.withUnsafeBufferPointer { input in
                    var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: read)
                    var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
                    left = unsafe ZSTD_compressStream2(frame.context, &target, &source, directive)
                    (read, count) = unsafe (source.pos, target.pos)
                }
            }
            guard ZSTD_isError(left) == 0 else { return nil }
            packed += piece
        } while left > 0
        return packed
    }
}
