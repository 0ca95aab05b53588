/// Unpacks bytes piece by piece: a small file may unpack to one without end. Several members of gzip or frames of
/// Zstandard are one stream.
package final class Unpacker {
    /// The reason why something can't be unpacked; its text follows a name and "is a … file".
    package enum Failure: Error, CustomStringConvertible {
        /// The stream is broken, or its checksum is wrong.
        case broken
        /// It would take more memory than a file may.
        case window
        /// It takes more memory than this process may use.
        case memory

        package var description: String {
            switch self {
            case .broken: "that is broken"
            case .window: "that takes more than 128 MiB of memory to unpack"
            case .memory: "that this process has too little memory to unpack"
            }
        }
    }

    private let stream: any PackedStream
    private let piece: Int
    /// True if the last piece was full, so that more may be unpacked of bytes that were read already.
    private var isFull = false
    /// The fault of the stream, which is reported after all that was unpacked before it.
    private var failure: Failure?

    /// - Parameter piece: the most bytes that are unpacked at once.
    /// - Throws: ``Failure/memory``.
    package init(_ packing: Packing, piece: Int = 1 << 20) throws(Failure) {
        let stream: (any PackedStream)? =
            switch packing {
            case .deflate, .gzip: DeflatedStream(packing)
            case .zstd: ZstdStream()
            }
        guard let stream else { throw .memory }
        self.stream = stream
        self.piece = piece
    }

    /// True where the stream may end: between two members or frames.
    package var isAtEnd: Bool { stream.isAtEnd }

    /// Unpacks the next piece, and removes what it was unpacked from.
    ///
    /// - Returns: nil if the bytes are used up.
    package func next(_ bytes: inout ArraySlice<UInt8>) throws(Failure) -> [UInt8]? {
        while failure == nil, !bytes.isEmpty || (isFull && !stream.isAtEnd) {
            let step = stream.step(bytes, upTo: piece)
            isFull = step.unpacked.count == piece
            bytes = bytes.dropFirst(step.used)
            failure = step.failure
            if !step.unpacked.isEmpty { return step.unpacked }
            if step.used == 0, !bytes.isEmpty { failure = failure ?? .broken }
        }
        if let failure { throw failure }
        return nil
    }
}

/// One library's stream.
protocol PackedStream: AnyObject {
    /// True where the stream may end.
    var isAtEnd: Bool { get }

    /// Unpacks until the bytes or the room are used up, a member or frame ends, or the stream turns out to be broken.
    func step(_ bytes: ArraySlice<UInt8>, upTo room: Int) -> UnpackingStep
}

/// The bytes that were unpacked at once.
struct UnpackingStep {
    var unpacked: [UInt8] = []
    /// The number of bytes that they were unpacked from.
    var used = 0
    /// The fault of what follows them.
    var failure: Unpacker.Failure?
}
