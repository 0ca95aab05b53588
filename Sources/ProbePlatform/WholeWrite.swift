/// Writing to a descriptor until everything is written, however slowly its reader takes it.
package enum WholeWrite: Sendable {
    /// The reason why something could not be written completely.
    package struct Failure: Error {
        /// The number of the system's error.
        package let code: CInt
        /// The number of bytes written before.
        package let written: Int

        /// The system's name for the error.
        package var reason: String { unsafe String(cString: strerror(code)) }
    }

    /// Writes all of the bytes; it blocks the thread.
    package static func write(_ bytes: [UInt8], to descriptor: CInt) throws(Failure) {
        var left = bytes[...]
        while !left.isEmpty {
            let written = unsafe left.withUnsafeBytes { unsafe writeOnce($0, to: descriptor) }
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

/// Writes as many of the bytes as write(2) takes: the type's own function has that name.
private func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> Int {
    unsafe write(descriptor, bytes.baseAddress, bytes.count)
}
