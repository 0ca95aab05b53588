import CProbeOpenSSL
import ProbeKit

/// Sole owner of a private key, which OpenSSL wipes when it goes.
@safe final class OpenSSLKey {
    let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The key as DER of PKCS #8; nil if OpenSSL can't encode it.
    var encoded: Secret? {
        guard let info = unsafe EVP_PKEY2PKCS8(pointer) else { return nil }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        let count = unsafe i2d_PKCS8_PRIV_KEY_INFO(info, nil)
        guard count > 0 else { return nil }
        return unsafe Secret(capacity: Int(count)) { room in
            var cursor = unsafe room.bindMemory(to: UInt8.self).baseAddress
            return unsafe Int(max(0, i2d_PKCS8_PRIV_KEY_INFO(info, &cursor)))
        }
    }
}

/// Lends a secret's bytes to OpenSSL for reading, without a copy.
enum OpenSSLMemory {
    static func with<Value>(_ secret: Secret, _ body: (OpaquePointer?) -> Value) -> Value {
        secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, CInt(clamping: buffer.count))
                defer { unsafe BIO_free(bio) }
                return unsafe body(bio)
            }
        }
    }
}
