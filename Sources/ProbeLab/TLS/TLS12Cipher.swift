import Crypto

/// One direction of a connection under AES-128-GCM (RFC 5246 section 6.2.3.3, RFC 5288 section 3).
struct TLS12Cipher {
    private let key: SymmetricKey
    /// The part of each nonce that is not sent.
    private let salt: [UInt8]
    private var count = 0

    init(key: [UInt8], salt: [UInt8]) {
        self.key = SymmetricKey(data: key)
        self.salt = salt
    }

    /// Returns the body of the next record.
    mutating func seal(_ type: UInt8, _ plaintext: [UInt8]) throws -> [UInt8] {
        let number = TLS12Format.number(count, 8)
        let box = try AES.GCM.seal(
            plaintext, using: key, nonce: AES.GCM.Nonce(data: salt + number),
            authenticating: header(type, plaintext.count))
        count += 1
        return number + Array(box.ciphertext) + Array(box.tag)
    }

    /// Returns the content of the next record's body.
    mutating func open(_ type: UInt8, _ body: [UInt8]) throws -> [UInt8] {
        // The part of the nonce that is sent, and the tag.
        let length = body.count - 8 - 16
        guard length >= 0 else { throw LabError.unreadable("a record is shorter than its nonce and tag") }
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: salt + Array(body.prefix(8))),
            ciphertext: Array(body.dropFirst(8).prefix(length)), tag: Array(body.suffix(16)))
        let plaintext = try AES.GCM.open(box, using: key, authenticating: header(type, length))
        count += 1
        return Array(plaintext)
    }

    private func header(_ type: UInt8, _ length: Int) -> [UInt8] {
        TLS12Format.number(count, 8) + [type, 3, 3] + TLS12Format.number(length, 2)
    }
}
