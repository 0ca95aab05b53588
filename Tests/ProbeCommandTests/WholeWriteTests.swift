import ProbePlatform
import ProbeTestSupport
import Testing

@Suite(.bounded) struct WholeWriteTests {
    /// The pipe is non-blocking: bytes without space at once are written when there is some.
    @Test func aSlowReaderGetsEveryByte() async throws {
        var ends: [CInt] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        let (input, output) = (ends[0], ends[1])
        try #require(fcntl(output, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
        async let reading = Task.detached {
            var read: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 20_000)
            while true {
                usleep(20_000)
                let count = unsafe ProbePlatform.read(input, &buffer, buffer.count)
                guard count > 0 else { return read }
                read += buffer.prefix(count)
            }
        }.value
        let writing = Task.detached { () -> WholeWrite.Failure? in
            defer { close(output) }
            do throws(WholeWrite.Failure) {
                try WholeWrite.write(bytes, to: output)
                return nil
            } catch {
                return error
            }
        }
        #expect(await writing.value == nil)
        #expect(await reading == bytes)
        close(input)
    }

    @Test func whatCanNotBeWrittenIsReported() throws {
        let output = unsafe open("/dev/full", O_WRONLY)
        defer { close(output) }
        do throws(WholeWrite.Failure) {
            try WholeWrite.write([1], to: output)
            Issue.record("there was room")
        } catch {
            #expect(error.code == ENOSPC && error.written == 0)
        }
    }
}
