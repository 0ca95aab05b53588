import Foundation
import ProbeKit
import ProbePacking

/// A file with some bytes, removed with its owner.
final class PackedFile {
    let path: String
    private let handle: FileHandle

    init(_ bytes: [UInt8]) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "probe-packed-\(UUID())").path
        try Data(bytes).write(to: URL(filePath: path))
        handle = try FileHandle(forUpdating: URL(filePath: path))
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    func blocks() throws -> ZstdBlocks { try ZstdBlocks(path, handle.fileDescriptor) }

    /// Returns all that can be read, and the place where that ends.
    func content() throws -> (bytes: [UInt8], place: ZstdBlocks.Place) {
        let blocks = try blocks()
        var bytes: [UInt8] = []
        while let block = try blocks.next() { bytes += block }
        return (bytes, blocks.place)
    }

    /// Replaces what the file holds.
    func set(_ bytes: some Collection<UInt8>) throws {
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(bytes))
    }
}

/// A writer's input and output, piece by piece.
struct WrittenFrame {
    var content: [UInt8] = []
    var packed: [UInt8] = []
    /// The lengths of both after each piece.
    var ends: [(packed: Int, unpacked: Int)] = [(0, 0)]

    init(_ pieces: [[UInt8]], isEnded: Bool = true) throws {
        guard let writer = ZstdWriter() else { throw CocoaError(.featureUnsupported) }
        for piece in pieces {
            guard let bytes = writer.pack(piece) else { throw CocoaError(.featureUnsupported) }
            content += piece
            packed += bytes
            ends.append((packed.count, content.count))
        }
        if isEnded { packed += writer.end() }
    }
}
