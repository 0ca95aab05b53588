import CNIOBoringSSL
import ProbeKit
import Synchronization

@testable import TransportNIOSSL

/// Alerts of a TLS 1.3 server with levels that no library sends, sealed with the keys that a client logs.
enum SealedAlert {
    /// The lines of the log by the clients' randoms, in hexadecimal.
    private static let log = Mutex<[String: [String: [UInt8]]]>([:])

    /// Makes a context whose connections log their keys.
    static func context() throws -> BoringSSLContext {
        let context = try BoringSSLContext()
        unsafe SSL_CTX_set_keylog_callback(context.pointer) { _, line in
            guard let line = unsafe line.map({ unsafe String(cString: $0) }) else { return }
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 3 else { return }
            SealedAlert.log.withLock { $0[words[1], default: [:]][words[0]] = SealedAlert.bytes(words[2]) }
        }
        return context
    }

    /// Returns the first record of a server under a secret, with an alert in it.
    ///
    /// - Parameters:
    ///   - label: the secret's name in the log, like `SERVER_TRAFFIC_SECRET_0`.
    ///   - client: the client's first record, and `server`: the server's, each with its hello.
    static func record(
        level: UInt8, _ alert: HandshakeFailure.Alert, under label: String, client: [UInt8], server: [UInt8]
    ) -> [UInt8]? {
        let random = client[11..<43].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        guard let secret = log.withLock({ $0[random]?[label] }) else { return nil }
        // The name of the session is behind its length, after 43 bytes; the suite's second byte is the one that differs.
        let suite = server[45 + Int(server[43])]
        let isAES256 = suite == 2
        let digest = unsafe isAES256 ? EVP_sha384() : EVP_sha256()
        let cipher =
            unsafe suite == 3
            ? EVP_aead_chacha20_poly1305() : isAES256 ? EVP_aead_aes_256_gcm() : EVP_aead_aes_128_gcm()
        func expanded(_ name: String, _ count: Int) -> [UInt8] {
            // HKDF-Expand-Label without a context (RFC 8446 section 7.1).
            let name = Array("tls13 \(name)".utf8)
            let info: [UInt8] = [0, UInt8(count), UInt8(name.count)] + name + [0]
            var bytes = [UInt8](repeating: 0, count: count)
            unsafe HKDF_expand(&bytes, count, digest, secret, secret.count, info, info.count)
            return bytes
        }
        let (key, nonce) = (expanded("key", suite == 1 ? 16 : 32), expanded("iv", 12))
        // The inner type of an alert follows it; the outer one is that of data (section 5.2).
        let content: [UInt8] = [level, alert.rawValue, 21]
        let header: [UInt8] = [23, 3, 3, 0, 19]
        guard let sealer = unsafe EVP_AEAD_CTX_new(cipher, key, key.count, 16) else { return nil }
        defer { unsafe EVP_AEAD_CTX_free(sealer) }
        var sealed = [UInt8](repeating: 0, count: 19)
        var count = 0
        let isSealed = unsafe EVP_AEAD_CTX_seal(
            sealer, &sealed, &count, sealed.count, nonce, nonce.count, content, content.count, header, header.count)
        return isSealed == 1 && count == sealed.count ? header + sealed : nil
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue).map { UInt8($0) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
