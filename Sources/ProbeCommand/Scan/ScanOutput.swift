import Dispatch
import Glibc
import ProbeKit

/// Where a scan's lines go: whole lines only, whatever happens, and written on a thread of its own, so that a reader that
/// takes its time stops neither the deadlines nor the signals.
final class ScanOutput: Sendable {
    private let descriptor: CInt
    private let queue = DispatchQueue(label: "probe.scan.output")

    /// Writes to an open descriptor, which stays open.
    init(_ descriptor: CInt) {
        self.descriptor = descriptor
        // A limit on file sizes is an error of the write, like a full disk.
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// Writes lines, and returns when they are written. When they can't be, the process ends: with the code of SIGPIPE,
    /// quietly, where nobody reads any more, else with that of an internal error.
    func write(_ lines: [String]) async {
        let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
        await withCheckedContinuation { continuation in
            queue.async {
                self.writeNow(bytes)
                continuation.resume()
            }
        }
    }

    /// Ends the process between two lines. A reader that does not even take the line under way is not waited for.
    ///
    /// It ends without the libraries' own cleaning up, which would pull the ground from under handshakes in flight.
    func end(_ code: Int32) -> Never {
        queue.async { _exit(code) }
        usleep(300_000)
        _exit(code)
    }

    private func writeNow(_ bytes: [UInt8]) {
        var left = bytes[...]
        while !left.isEmpty {
            let written = unsafe left.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                left = left.dropFirst(written)
            } else if errno == EAGAIN {
                // Somebody made the pipe non-blocking; its reader is just slow.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wait, 1, -1)
            } else if errno != EINTR {
                let code = errno
                if code == EPIPE { _exit(128 + SIGPIPE) }
                takeBack(bytes, written: bytes.count - left.count)
                Terminal.printError("probe: the output can't be written: \(unsafe String(cString: strerror(code)))")
                _exit(Outcome.internalError.exitCode)
            }
        }
    }

    /// Takes the beginning of a line that has no room for its end out of a file again.
    private func takeBack(_ bytes: [UInt8], written: Int) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
        let whole = bytes[..<written].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = lseek(descriptor, 0, SEEK_CUR)
        // Somebody else's bytes behind ours are not ours to cut off.
        guard end == status.st_size, end >= written else { return }
        ftruncate(descriptor, end - off_t(written - whole))
    }
}
