import CProbeZlib

/// Packed bytes that are unpacked as a whole, into no more than a given number of bytes.
package enum Unpacked {
    /// The reason why there are no bytes.
    package enum Failure: Error, Equatable {
        case stream(Unpacker.Failure)
        case tooLarge

        package static let broken = Failure.stream(.broken)
    }

    private static let piece = 1 << 16

    /// Unpacks a stream; all of its members or frames.
    package static func bytes(
        _ packed: ArraySlice<UInt8>, _ packing: Packing, limit: Int
    ) throws(Failure) -> [UInt8] {
        let unpacker: Unpacker
        do throws(Unpacker.Failure) { unpacker = try Unpacker(packing, piece: piece) } catch { throw .stream(error) }
        var rest = packed
        var unpacked: [UInt8] = []
        while true {
            let piece: [UInt8]?
            do throws(Unpacker.Failure) { piece = try unpacker.next(&rest) } catch { throw .stream(error) }
            guard let piece else { break }
            unpacked += piece
            guard unpacked.count <= limit else { throw .tooLarge }
        }
        guard unpacker.isAtEnd, !packed.isEmpty else { throw .broken }
        return unpacked
    }

    /// Returns the checksum that a ZIP archive has of its files.
    package static func checksum(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBufferPointer { unsafe Int(crc32(0, $0.baseAddress, CUnsignedInt(clamping: $0.count))) }
    }
}
