import CProbeCurl

/// Sole owner of a multi handle.
///
/// `@unchecked Sendable`: one thread alone calls everything but ``wake()``, which libcurl documents as safe from any
/// thread; the handle is freed when neither that thread nor any possible waker has a reference any more.
@safe final class CurlMultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer

    init() throws(CurlError) {
        guard let pointer = unsafe curl_multi_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        unsafe self.pointer = pointer
        guard unsafe curl_multi_wakeup(pointer) == CURLM_OK else { throw CurlError.withoutWakeUp }
    }

    deinit {
        unsafe curl_multi_cleanup(pointer)
    }

    /// Ends the current wait, or the next one.
    func wake() {
        unsafe curl_multi_wakeup(pointer)
    }

    /// Waits for a socket of libcurl's or one of these, a timer of libcurl's or ``wake()``.
    func wait(milliseconds: CInt, reading sockets: [CInt] = []) {
        var others = sockets.map { curl_waitfd(fd: $0, events: CShort(CURL_WAIT_POLLIN), revents: 0) }
        unsafe curl_multi_poll(pointer, &others, UInt32(others.count), milliseconds, nil)
    }

    func add(_ easy: CurlEasy) -> CURLMcode { unsafe curl_multi_add_handle(pointer, easy.pointer) }

    /// Takes a transfer out, done or not; its connection is closed before this returns.
    func remove(_ easy: CurlEasy) {
        unsafe curl_multi_remove_handle(pointer, easy.pointer)
    }

    /// Goes as far as the sockets allow.
    func advance() -> CURLMcode {
        var running: CInt = 0
        return unsafe curl_multi_perform(pointer, &running)
    }

    /// Returns the next transfer that is done, by its easy handle, with its result.
    func nextDone() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: CInt = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (easy, cprobe_message_result(message))
        }
        return nil
    }
}
