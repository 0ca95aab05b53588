import CProbeOpenSSL
import ProbeKit
import ProbeNet
import ProbeOpenSSL
import ProbePlatform

/// The chain of a server that libcurl connects to, and the result of its verification, as far as OpenSSL judges it for libcurl;
/// without the name.
struct CurlChain {
    /// The result of a verification.
    struct Reading {
        let problems: [TrustReading.Problem]
        let path: [[UInt8]]
    }

    /// The result of the verification; nil before it.
    private var verdict: Reading?
    /// True once OpenSSL has shown the chain as it parsed it.
    private var isShown = false
    /// The server's certificates as its message has them.
    private var presented = OpenSSLPresentedChain()
    /// The same as OpenSSL parsed them.
    private(set) var certificates: [OpenSSLCertificate] = []

    /// The result, of the verification or of a chain that was dropped before it; nil if there is none yet.
    var reading: Reading? { verdict ?? refusal }

    /// The chain that OpenSSL dropped because it can't parse one of its certificates; nil if it dropped none.
    var dropped: OpenSSLCertificates? {
        guard !isShown, let chain = presented.unparsed.map(OpenSSLCertificates.init(_:)) else { return nil }
        return chain.readings.contains { (try? $0.get()) == nil } ? chain : nil
    }

    private var refusal: Reading? {
        guard let dropped else { return nil }
        let trust = ReadableChain.judge(dropped.readings) { _ throws(OpenSSLError) in .accepted(path: []) }
        return Reading(problems: trust.problems, path: [])
    }

    /// The presented chain in OpenSSL's encoding, as libcurl shows it by CERTINFO.
    var encoded: [[UInt8]] { certificates.map(\.encoded) }

    /// Takes a handshake message of the server's.
    mutating func note(_ message: UnsafeRawBufferPointer, version: TLSVersion?) {
        unsafe presented.note(message, version: version)
    }

    /// Takes the certificates that a verification is about. A chain that is too long is not reported: its first part would be
    /// judged as if it were complete.
    mutating func take(_ verification: OpaquePointer) throws(HandshakeFailure) {
        isShown = true
        let stack = unsafe X509_STORE_CTX_get0_untrusted(verification)
        let count = unsafe stack.map { unsafe cprobe_certificates_count($0) } ?? 0
        guard count <= HandshakeLimits.certificates else { throw .tooManyCertificates(Int(count)) }
        certificates = try unsafe presented.certificates(parsed: stack)
    }

    /// Verifies the chain to the end, whatever its faults, as libcurl set it up, but at another instant.
    ///
    /// - Parameter securityLevel: the level that libcurl would have verified at.
    mutating func verify(_ verification: OpaquePointer, at instant: Date, securityLevel: CInt) {
        do throws(OpenSSLError) {
            guard let seconds = time_t(exactly: instant.timeIntervalSince1970.rounded(.down)) else {
                throw OpenSSLError(code: nil, message: "the instant is out of range", sslReason: nil)
            }
            if let parameters = unsafe X509_STORE_CTX_get0_param(verification) {
                unsafe X509_VERIFY_PARAM_set_time(parameters, seconds)
                unsafe X509_VERIFY_PARAM_set_auth_level(parameters, securityLevel)
            }
            let problems = try unsafe OpenSSLErrorCollector().verify(verification).map(\.problem)
            verdict = Reading(
                problems: problems, path: unsafe OpenSSLErrorCollector.path(of: verification, presented: certificates))
        } catch {
            verdict = Reading(problems: [.init(.other, error.message, nativeCode: error.code)], path: [])
        }
    }
}
