import Crypto

/// The secrets of a connection with SHA-256 and AES-128-GCM (RFC 5246 sections 5, 6.3 and 8.1).
struct TLS12Secrets {
    private let master: SymmetricKey
    /// The client's direction.
    var client: TLS12Cipher
    /// The server's direction.
    var server: TLS12Cipher

    init(premaster: SymmetricKey, clientRandom: [UInt8], serverRandom: [UInt8]) {
        let master = SymmetricKey(
            data: Self.expand(premaster, "master secret", clientRandom + serverRandom, count: 48))
        let block = Self.expand(master, "key expansion", serverRandom + clientRandom, count: 40)
        self.master = master
        client = TLS12Cipher(key: Array(block[0..<16]), salt: Array(block[32..<36]))
        server = TLS12Cipher(key: Array(block[16..<32]), salt: Array(block[36..<40]))
    }

    /// Returns the Finished message with this label over the messages before it (RFC 5246 section 7.4.9).
    func finished(_ label: String, over messages: [UInt8]) -> [UInt8] {
        TLS12Format.message(20, Self.expand(master, label, Array(SHA256.hash(data: messages)), count: 12))
    }

    /// The pseudorandom function (RFC 5246 section 5).
    private static func expand(_ secret: SymmetricKey, _ label: String, _ seed: [UInt8], count: Int) -> [UInt8] {
        let seed = Array(label.utf8) + seed
        var (link, output) = (seed, [UInt8]())
        while output.count < count {
            link = Array(HMAC<SHA256>.authenticationCode(for: link, using: secret))
            output += Array(HMAC<SHA256>.authenticationCode(for: link + seed, using: secret))
        }
        return Array(output.prefix(count))
    }
}
