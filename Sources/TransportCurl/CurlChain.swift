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

    /// The result; nil before the verification.
    private(set) var reading: Reading?
    /// The server's certificates as its message has them.
    private var presented = OpenSSLPresentedChain()
    /// The same as OpenSSL parsed them.
    private(set) var certificates: [OpenSSLCertificate] = []

    /// The presented chain in OpenSSL's encoding, as libcurl shows it by CERTINFO.
    var encoded: [[UInt8]] { certificates.map(\.encoded) }

    /// Takes a handshake message of the server's.
    mutating func note(_ message: UnsafeRawBufferPointer, version: TLSVersion?) {
        unsafe presented.note(message, version: version)
    }

    /// Takes the certificates that a verification is about. A chain that is too long is not reported: its first part would be
    /// judged as if it were complete.
    mutating func take(_ verification: OpaquePointer) throws(HandshakeFailure) {
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
            reading = Reading(
                problems: problems, path: unsafe OpenSSLErrorCollector.path(of: verification, presented: certificates))
        } catch {
            reading = Reading(problems: [.init(.other, error.message, nativeCode: error.code)], path: [])
        }
    }
}
