import CProbeGnuTLS
import ProbeKit

/// Owns `gnutls_certificate_credentials_t` without certificates: the client that verifies nothing, and asks its session for the
/// certificate to show.
///
/// Sessions share it: it takes 6 KiB, and nothing in it differs between them.
///
/// `@unchecked Sendable`: nothing changes it after `init`, and GnuTLS documents reading credentials from several threads as safe.
@safe final class GnuTLSCredentials: @unchecked Sendable {
    let pointer: gnutls_certificate_credentials_t

    private static let made = Once<GnuTLSCredentials>()

    /// Returns the credentials that all sessions share, which live as long as the process; a failed attempt to make them is
    /// repeated.
    static func shared() throws(GnuTLSErrorCode) -> GnuTLSCredentials {
        try made.value { () throws(GnuTLSErrorCode) in try GnuTLSCredentials() }
    }

    private init() throws(GnuTLSErrorCode) {
        let pointer = try unsafe GnuTLSErrorCode.made { unsafe gnutls_certificate_allocate_credentials(&$0) }
        unsafe self.pointer = pointer
        unsafe gnutls_certificate_set_retrieve_function(pointer) { session, names, count, _, _, answer in
            unsafe answer?.pointee.cert_type = GNUTLS_CRT_X509
            unsafe answer?.pointee.ncerts = 0
            unsafe answer?.pointee.deinit_all = 0
            guard let session = unsafe session,
                let asked = unsafe GnuTLSSession.from(gnutls_transport_get_ptr(session))
            else { return 0 }
            let issuers = unsafe UnsafeBufferPointer(start: names, count: names == nil ? 0 : Int(max(0, count)))
            unsafe asked.answerRequest(naming: issuers, in: answer)
            return 0
        }
    }

    deinit { unsafe gnutls_certificate_free_credentials(pointer) }
}
