import CProbeCurl
import ProbeKit

/// Sole owner of an easy handle, of the buffer its errors go to, and of the lists it refers to.
@safe final class CurlEasy {
    let pointer: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var lists: [CurlList] = []

    init() throws(CurlError) {
        guard let pointer = unsafe curl_easy_init() else { throw CurlError(CURLE_OUT_OF_MEMORY) }
        unsafe self.pointer = pointer
        unsafe errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorBuffer))
    }

    deinit {
        // The handle may write to the buffer and read the lists to its end.
        unsafe curl_easy_cleanup(pointer)
        unsafe errorBuffer.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_long(pointer, option, value))
    }

    /// A string, or nil for what libcurl does without one.
    func set(_ option: CURLoption, _ value: String?) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ values: [String]) throws(CurlError) {
        let list = try CurlList(values)
        lists.append(list)
        try Self.check(unsafe cprobe_easy_set_list(pointer, option, list.pointer))
    }

    /// Has `function` called with the `SSL_CTX` of each connection, and with `data`, which has to outlive the handle.
    func set(
        contextFunction function:
            @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> CURLcode,
        data: UnsafeMutableRawPointer
    ) throws(CurlError) {
        try Self.check(unsafe cprobe_easy_set_context_function(pointer, function))
        try Self.check(unsafe cprobe_easy_set_pointer(pointer, CURLOPT_SSL_CTX_DATA, data))
    }

    /// What libcurl says about the last error; empty when it says nothing.
    var errorText: String { unsafe String(cString: errorBuffer) }

    /// The system's code of the last error, 0 for none.
    var systemError: CInt {
        var value = 0
        return unsafe cprobe_easy_get_long(pointer, CURLINFO_OS_ERRNO, &value) == CURLE_OK ? CInt(clamping: value) : 0
    }

    /// The address that was dialled, once there was a connection.
    var peerAddress: String? {
        var text: UnsafePointer<CChar>?
        guard unsafe cprobe_easy_get_string(pointer, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text = unsafe text
        else { return nil }
        let address = unsafe String(cString: text)
        return address.isEmpty ? nil : address
    }

    /// The presented certificates as libcurl shows them after a completed handshake, each as DER; nil for one that can't
    /// be read.
    var certificates: [[UInt8]?] {
        guard let info = unsafe cprobe_easy_certinfo(pointer), let lists = unsafe info.pointee.certinfo else {
            return []
        }
        let count = unsafe Int(info.pointee.num_of_certs)
        return (0..<count).map { index in
            let fields = unsafe CurlList.strings(of: lists[index])
            let pem = fields.first { $0.hasPrefix("Cert:") }.map { $0.dropFirst("Cert:".count) }
            return pem.flatMap { try? CertificateFile.certificates(in: Array($0.utf8), from: "CERTINFO").first }
        }
    }

    private static func check(_ code: CURLcode) throws(CurlError) {
        guard code == CURLE_OK else { throw CurlError(code) }
    }
}
