import Glibc

/// Writing to a descriptor until everything is written, however slowly its reader takes it.
enum WholeWrite {
    /// The reason why something could not be written completely.
    struct Failure: Error {
        /// The number of the system's error.
        let code: CInt
        /// The number of bytes written before.
        let written: Int

        /// The system's name for the error.
        var reason: String { unsafe String(cString: strerror(code)) }
    }

    /// Writes all of the bytes; it blocks the thread.
    static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Failure) {
        var left = bytes[...]
        while !left.isEmpty {
            let written = unsafe left.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                left = left.dropFirst(written)
            } else if errno == EAGAIN {
                // Another process made the pipe non-blocking; its reader is just slow.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wait, 1, -1)
            } else if errno != EINTR {
                throw Failure(code: errno, written: bytes.count - left.count)
            }
        }
    }
}
