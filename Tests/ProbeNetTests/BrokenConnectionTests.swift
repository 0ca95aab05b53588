import NIOCore
import NIOEmbedded
import ProbeKit
import ProbePlatform
import Testing

@testable import ProbeNet

/// The errors of connections that were there, in words without the names of NIO's functions.
@Suite struct BrokenConnectionTests {
    @Test(
        "the system's errors are named, and not the calls that failed",
        arguments: [
            (ECONNRESET, true, "ECONNRESET"), (EPIPE, true, "ECONNRESET"), (ETIMEDOUT, false, "errno \(ETIMEDOUT)"),
        ] as [(CInt, Bool, String)])
    func systemErrors(number: CInt, isReset: Bool, nativeCode: String) {
        let broken = BrokenConnection(IOError(errnoCode: number, reason: "read(descriptor:pointer:size:)"))
        #expect(broken.isReset == isReset && broken.nativeCode == nativeCode)
        #expect(!broken.reason.isEmpty && !broken.reason.contains("descriptor"))
    }

    @Test("others are named by their own words") func otherErrors() {
        let broken = BrokenConnection(RecordFailure("reading: bad record type", nativeCode: "error:0A0001BB"))
        #expect(!broken.isReset && broken.nativeCode == nil)
        #expect(broken.reason == "reading: bad record type (error:0A0001BB)")
    }

    @Test("a response that a reset prevents is missing for that") func responses() throws {
        var reason: String?
        let channel = EmbeddedChannel(handler: EndReader { reason = $0 })
        defer { _ = try? channel.finish() }
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)"))
        #expect(reason == "there is no response: the peer reset the connection")
    }
}
