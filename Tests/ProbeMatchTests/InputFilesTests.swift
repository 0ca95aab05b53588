import Foundation
import ProbeKit
import Testing

@testable import ProbeMatch

/// A folder that can't be read is reported with the system's reason.
@Suite struct InputFilesTests {
    @Test func theReasonIsTheSystems() {
        let missing = Result { try FileManager.default.contentsOfDirectory(atPath: "/nonexistent-folder") }
        guard case .failure(let error) = missing else {
            Issue.record("there is such a folder")
            return
        }
        #expect(InputFiles.reason(of: error) == ENOENT)
        let full = CocoaError(.fileReadUnknown, userInfo: [NSUnderlyingErrorKey: POSIXError(.EMFILE)])
        #expect(InputFiles.reason(of: full) == EMFILE)
        #expect(InputFiles.reason(of: POSIXError(.ELOOP)) == ELOOP)
        #expect(InputFiles.reason(of: CocoaError(.fileReadUnknown)) == EIO)
    }

    @Test func anEmptyNameIsReportedAsThat() throws {
        let files = try InputFiles([""], leavingOut: nil)
        #expect(files.faults.map(\.message) == ["the name of an input is empty"] && files.files.isEmpty)
    }
}
