package import ProbeKit
import ProbePlatform

/// The content of a file in frames of Zstandard (RFC 8878), block by block, with the places where the file can be cut.
///
/// A process that is killed leaves a frame without its end, and one that ends with the power may leave zeros in place of its
/// last bytes. What stands in whole blocks can still be read.
package final class ZstdBlocks {
    /// A place between two blocks or frames.
    package struct Place: Sendable {
        /// The number of the file's bytes before it.
        package fileprivate(set) var packed = 0
        /// The number of bytes that those unpack to.
        package fileprivate(set) var unpacked = 0
        /// True if it is within a frame.
        package fileprivate(set) var isInFrame = false
        /// True if a block without content can end the frame there. It can't if the frame says how much it holds, or has
        /// a checksum at its end.
        package fileprivate(set) var canEnd = true
    }

    /// The end of the last block that was read.
    package private(set) var place = Place()

    private let path: String
    private let descriptor: CInt
    private let unpacker: Unpacker
    /// True if the frame ends with a checksum of four bytes.
    private var hasChecksum = false
    /// The place before the blocks without content that were read last: zeros are such blocks, and no part of the frame if they
    /// go on to the end.
    private var placeBeforeEmpty: Place?
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
    /// - Returns: nil at the end, or where the file was cut off within a block, or has nothing but zeros from there to its end.
    /// - Throws: ``InputError`` if what stands there is not Zstandard's.
    package func next() throws(InputError) -> [UInt8]? {
        while true {
            if !place.isInFrame {
                guard try beginFrame() else { return nil }
            }
            guard try have(3) else {
                place = placeBeforeEmpty ?? place
                return nil
            }
            let header = number(at: 0, bytes: 3)
            placeBeforeEmpty = header == 0 ? placeBeforeEmpty ?? place : nil
            let (isLast, kind, size) = (header & 1 == 1, header >> 1 & 3, header >> 3)
            guard kind != 3, size <= Self.maximumBlock else { throw broken() }
            // A block of one byte that is repeated has that byte alone.
            let length = 3 + (kind == 1 ? 1 : size) + (isLast && hasChecksum ? 4 : 0)
            guard try have(length) else { return nil }
            guard let bytes = try unpack(length) else {
                // A block whose end was not written yet.
                guard buffer[start + length - 1] == 0, try hasOnlyZeros(after: length) else { throw broken() }
                return nil
            }
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
            guard Self.magic.starts(with: magic) else {
                // A file of zeros alone was never packed.
                guard place.packed > 0 || magic.first != 0, Self.magic.starts(with: magic.withoutFinalZeros),
                    try hasOnlyZeros(after: magic.count)
                else { throw broken() }
                return false
            }
            guard isWhole, try have(5) else { return false }
            let descriptor = buffer[start + 4]
            let isSingle = descriptor & 0x20 != 0
            let size = [isSingle ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
            let length = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][Int(descriptor & 3)] + size
            guard try have(length) else { return false }
            guard try unpack(length) != nil else { throw broken() }
            hasChecksum = descriptor & 4 != 0
            (place.isInFrame, place.canEnd) = (true, size == 0 && !hasChecksum)
            return true
        }
        return false
    }

    /// Unpacks the next bytes of the file, which are a header or a block, and passes them; nil if they are broken.
    private func unpack(_ length: Int) throws(InputError) -> [UInt8]? {
        var packed = buffer[start..<start + length]
        var bytes: [UInt8] = []
        do throws(Unpacker.Failure) {
            while let piece = try unpacker.next(&packed) { bytes += piece }
        } catch {
            guard error == .broken else { throw Self.unpackable(path, error) }
            return nil
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

    /// Reads to the end, and returns true if nothing but zeros follows a number of bytes.
    private func hasOnlyZeros(after count: Int) throws(InputError) -> Bool {
        start += count
        repeat {
            guard buffer[start...].allSatisfy({ $0 == 0 }) else { return false }
            start = buffer.count
        } while try have(1)
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
