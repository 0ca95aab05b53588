import CProbeCurl
import CProbeOpenSSL
import ProbeCurl
import ProbeKit
import ProbePlatform
import TransportOpenSSL

/// One connection's anchors and instant: libcurl takes anchors from files and the time from the system, so both are set on
/// the `SSL_CTX` it makes. It has to outlive the easy handle it is attached to.
final class DoHVerification {
    private let store: OpenSSLStore
    private let time: time_t?
    private var bound: OpenSSLInputBound

    init(_ order: DoHOrder, anchors: OpenSSLAnchors) throws(DNSFailure) {
        bound = OpenSSLInputBound(until: order.deadline)
        time = try order.instant.map { instant throws(DNSFailure) in
            guard let time = time_t(exactly: instant.timeIntervalSince1970.rounded(.down)) else {
                throw DNSFailure(.badQuery, "the instant is out of range")
            }
            return time
        }
        do throws(OpenSSLError) {
            store = try anchors.store(for: order.server.anchors)
        } catch {
            throw DNSFailure(.backendError, "OpenSSL: \(error.message)")
        }
    }

    /// Has the handle's connection verified, chain and name.
    func attach(to easy: CurlEasy) throws(CurlError) {
        try easy.set(CURLOPT_SSL_VERIFYPEER, 1)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        try unsafe easy.set(
            contextFunction: { _, context, data in
                guard let context = unsafe context, let data = unsafe data else { return CURLE_ABORTED_BY_CALLBACK }
                let verification = unsafe Unmanaged<DoHVerification>.fromOpaque(data).takeUnretainedValue()
                return unsafe verification.take(OpaquePointer(context))
            }, data: Unmanaged.passUnretained(self).toOpaque())
    }

    private func take(_ context: OpaquePointer) -> CURLcode {
        guard let parameters = unsafe SSL_CTX_get0_param(context) else { return CURLE_ABORTED_BY_CALLBACK }
        unsafe SSL_CTX_set1_cert_store(context, store.pointer)
        // Any given anchor is accepted as one.
        unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_TRUSTED_FIRST))
        unsafe cprobe_ctx_set_message_data(context, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_CTX_set_msg_callback(context) { isWritten, _, type, bytes, count, ssl, data in
            guard isWritten == 0, type == SSL3_RT_HEADER, let bytes = unsafe bytes, let ssl = unsafe ssl,
                let data = unsafe data
            else { return }
            // A reply and its head are far smaller than what a handshake may be.
            _ = unsafe Unmanaged<DoHVerification>.fromOpaque(data).takeUnretainedValue()
                .bound.take(UnsafeRawBufferPointer(start: bytes, count: count), ssl)
        }
        if let time { unsafe X509_VERIFY_PARAM_set_time(parameters, time) }
        return CURLE_OK
    }
}
