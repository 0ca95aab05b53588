package import ProbeKit
import ProbePlatform

/// The content of a file in frames of Zstandard (RFC 8878), block by block, with the places where the file can be cut.
///
/// A process that is killed leaves a frame without its end. What stands in its whole blocks can still be read.
package final class ZstdBlocks {
    /// A place between two blocks or frames.
    package struct Place: Sendable {
        /// The number of the file's bytes before it.
        package fileprivate(set) var packed = 0
        /// The number of bytes that those unpack to.
        package fileprivate(set) var unpacked = 0
        /// Whether it is within a frame.
        package fileprivate(set) var isInFrame = false
        /// Whether a block without content can end the frame there. It can't if the frame says how much it holds, or has
        /// a checksum at its end.
        package fileprivate(set) var canEnd = true
    }

    /// The end of the last block that was read.
    package private(set) var place = Place()

    private let path: String
    private let descriptor: CInt
    private let unpacker: Unpacker
    /// Whether the frame ends with a checksum of four bytes.
    private var hasChecksum = false
    private var buffer: [UInt8] = []
    /// The start of what was not used yet.
    private var start = 0
    /// The place in the file where the buffer ends.
    private var offset = 0

    /// RFC 8878, 3.1.1.2.4.
    private static let maximumBlock = 128 << 10
    private static let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    /// The frames that hold nothing, whose first byte has any lower half (RFC 8878, 3.1.2).
    private static let skippable: [UInt8] = [0x50, 0x2a, 0x4d, 0x18]

    /// - Parameter descriptor: of a file that stays open; its position is neither used nor changed.
    package init(_ path: String, _ descriptor: CInt) throws(InputError) {
        self.path = path
        self.descriptor = descriptor
        do throws(Unpacker.Failure) { unpacker = try Unpacker(.zstd) } catch { throw Self.unpackable(path, error) }
    }

    /// Returns what the next block with content unpacks to.
    ///
    /// - Returns: nil at the end, or where the file was cut off within a block.
    /// - Throws: ``InputError`` if what stands there is not Zstandard's.
    package func next() throws(InputError) -> [UInt8]? {
        while true {
            if !place.isInFrame {
                guard try beginFrame() else { return nil }
            }
            guard try have(3) else { return nil }
            let header = number(at: 0, bytes: 3)
            let (isLast, kind, size) = (header & 1 == 1, header >> 1 & 3, header >> 3)
            guard kind != 3, size <= Self.maximumBlock else { throw broken() }
            // A block of one byte that is repeated has that byte alone.
            let length = 3 + (kind == 1 ? 1 : size) + (isLast && hasChecksum ? 4 : 0)
            guard try have(length) else { return nil }
            let bytes = try unpack(length)
            place.unpacked += bytes.count
            if isLast { (place.isInFrame, place.canEnd) = (false, true) }
            if !bytes.isEmpty { return bytes }
        }
    }

    /// Reads the header of the next frame (RFC 8878, 3.1.1.1).
    private func beginFrame() throws(InputError) -> Bool {
        while try have(1) {
            let isWhole = try have(4)
            let magic = buffer[start..<min(start + 4, buffer.count)]
            if magic.first.map({ $0 & 0xf0 }) == Self.skippable[0] {
                guard Self.skippable.dropFirst().starts(with: magic.dropFirst()) else { throw broken() }
                guard isWhole, try have(8) else { return false }
                guard try skip(8 + number(at: 4, bytes: 4)) else { return false }
                continue
            }
            guard Self.magic.starts(with: magic) else { throw broken() }
            guard isWhole, try have(5) else { return false }
            let descriptor = buffer[start + 4]
            let isSingle = descriptor & 0x20 != 0
            let size = [isSingle ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
            let length = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][Int(descriptor & 3)] + size
            guard try have(length) else { return false }
            _ = try unpack(length)
            hasChecksum = descriptor & 4 != 0
            (place.isInFrame, place.canEnd) = (true, size == 0 && !hasChecksum)
            return true
        }
        return false
    }

    /// Unpacks the next bytes of the file, which are a header or a block, and passes them.
    private func unpack(_ length: Int) throws(InputError) -> [UInt8] {
        var packed = buffer[start..<start + length]
        var bytes: [UInt8] = []
        do throws(Unpacker.Failure) {
            while let piece = try unpacker.next(&packed) { bytes += piece }
        } catch {
            throw error == .broken ? broken() : Self.unpackable(path, error)
        }
        start += length
        place.packed += length
        return bytes
    }

    /// Passes bytes without a look at them; false if there are fewer.
    private func skip(_ length: Int) throws(InputError) -> Bool {
        let end = place.packed + length
        guard let status = FileStatus(descriptor: descriptor), status.size >= end else { return false }
        place.packed = end
        if length <= buffer.count - start {
            start += length
        } else {
            (buffer, start, offset) = ([], 0, end)
        }
        return true
    }

    /// Returns a number of the next bytes, the lowest first.
    private func number(at index: Int, bytes: Int) -> Int {
        (0..<bytes).reduce(0) { $0 | Int(buffer[start + index + $1]) << (8 * $1) }
    }

    /// Reads on until the buffer has a number of bytes; false if the file has fewer.
    private func have(_ count: Int) throws(InputError) -> Bool {
        while buffer.count - start < count {
            buffer.removeSubrange(..<start)
            start = 0
            let place = off_t(offset)
            var failed = false
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 18) { bytes, count in
                var result: Int
                repeat {
                    result = unsafe pread(descriptor, bytes.baseAddress, bytes.count, place)
                } while result < 0 && errno == EINTR
                (failed, count) = (result < 0, max(0, result))
            }
            guard !failed else {
                throw InputError("\(path) can't be read any further", remedy: "check its disk", source: .file)
            }
            if piece.isEmpty { return false }
            buffer += piece
            offset += piece.count
        }
        return true
    }

    private static func unpackable(_ path: String, _ failure: Unpacker.Failure) -> InputError {
        InputError(
            "\(path) is a zstd file \(failure)", remedy: "unpack it, and pack it again with a smaller window",
            source: .file)
    }

    private func broken() -> InputError {
        InputError(
            "\(path) is not packed by Zstandard, or broken, at byte \(place.packed)",
            remedy: "name a file that was packed, or one that does not exist yet", source: .file)
    }
}
