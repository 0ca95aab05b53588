import Foundation
import Testing

@testable import ProbeStore

/// The file of a new store, before anybody opens it.
@Suite struct StoreCreationTests {
    @Test("a new file has the mode in which it is opened, and nothing beside it") func mode() throws {
        let scratch = try Scratch()
        try StoreFile.create(scratch.path)
        let bytes = try scratch.bytes()
        // The versions for writing and reading (sqlite.org/fileformat.html): 2 is a write-ahead log.
        #expect(bytes[18] == 2 && bytes[19] == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder) == ["cache.sqlite"])
        #expect(try scratch.mode(of: scratch.path.description) == 0o600)
    }
}
