import CProbeOpenSSL
public import ProbeKit
import ProbeOpenSSL

/// Reads client identities with OpenSSL: PEM, with encrypted keys too, and PKCS #12.
public struct OpenSSLIdentities: ClientIdentity.Reader {
    /// Creates a reader.
    public init() {}

    /// Returns the identity in the bytes of one file or two.
    public func identity(
        certificate: Secret, key: Secret?, passphrase: Secret?
    ) throws(ClientIdentity.Problem) -> ClientIdentity {
        if let absence = OpenSSLLibrary.absence { throw .noReader(absence) }
        defer { OpenSSLError.clear() }
        let passphrase = OpenSSLPassphrase(passphrase)
        let isContainer = certificate.withBytes { unsafe $0.byteCount > 0 && $0.unsafeLoad(as: UInt8.self) == 0x30 }
        guard isContainer else {
            let chain = try Self.certificates(certificate)
            return try Self.identity(chain, try Self.key(key ?? certificate, passphrase))
        }
        guard key == nil else {
            throw .noCertificate("the certificate is not PEM, and PKCS #12 goes without a key of its own")
        }
        let (chain, found) = try Self.container(certificate, passphrase)
        return try Self.identity(chain, found)
    }

    private static func identity(
        _ chain: [OpenSSLCertificate], _ key: OpenSSLKey
    ) throws(ClientIdentity.Problem) -> ClientIdentity {
        guard let leaf = chain.first else { throw .noCertificate("it has none") }
        guard unsafe X509_check_private_key(leaf.pointer, key.pointer) == 1 else { throw .keyOfAnother }
        guard let secret = key.encoded else { throw .noKey("OpenSSL can't encode it as PKCS #8") }
        return ClientIdentity(chain: chain.map(\.der), key: .pkcs8(secret))
    }

    /// Reads all certificates of PEM, in order. One that can't be read is an error: without it the chain would be another.
    private static func certificates(_ file: Secret) throws(ClientIdentity.Problem) -> [OpenSSLCertificate] {
        let (chain, end): ([OpenSSLCertificate], OpenSSLError) = unsafe OpenSSLMemory.with(file) { bio in
            var chain: [OpenSSLCertificate] = []
            while true {
                OpenSSLError.clear()
                guard let next = unsafe PEM_read_bio_X509(bio, nil, nil, nil) else {
                    return (chain, OpenSSLError.take("certificate \(chain.count + 1) can't be read"))
                }
                chain.append(unsafe OpenSSLCertificate(sharing: next))
                unsafe X509_free(next)
            }
        }
        guard end.isEndOfPEM, !chain.isEmpty else {
            throw .noCertificate(end.code == nil ? "certificate \(chain.count + 1) is empty" : end.message)
        }
        return chain
    }

    /// Reads a private key in PEM, or in DER.
    private static func key(_ file: Secret, _ passphrase: OpenSSLPassphrase) throws(ClientIdentity.Problem)
        -> OpenSSLKey
    {
        OpenSSLError.clear()
        let data = unsafe Unmanaged.passUnretained(passphrase).toOpaque()
        let read = unsafe OpenSSLMemory.with(file) { bio in
            unsafe PEM_read_bio_PrivateKey(
                bio, nil,
                { buffer, size, _, data in
                    guard let buffer = unsafe buffer, let data = unsafe data else { return -1 }
                    let passphrase = unsafe Unmanaged<OpenSSLPassphrase>.fromOpaque(data).takeUnretainedValue()
                    return unsafe passphrase.answer(UnsafeMutableRawBufferPointer(start: buffer, count: Int(size)))
                }, data)
        }
        if let read = unsafe read { return unsafe OpenSSLKey(takingOwnershipOf: read) }
        let error = OpenSSLError.take("reading it")
        if passphrase.wasAsked { throw passphrase.isGiven ? .wrongPassphrase : .needsPassphrase }
        let plain = unsafe OpenSSLMemory.with(file) { bio in unsafe d2i_PrivateKey_bio(bio, nil) }
        guard let plain = unsafe plain else { throw .noKey(error.message) }
        return unsafe OpenSSLKey(takingOwnershipOf: plain)
    }

    /// Reads PKCS #12: one key, its certificate, and others in the order that they have there.
    private static func container(
        _ file: Secret, _ passphrase: OpenSSLPassphrase
    ) throws(ClientIdentity.Problem) -> ([OpenSSLCertificate], OpenSSLKey) {
        OpenSSLError.clear()
        guard let container = unsafe OpenSSLMemory.with(file, { bio in unsafe d2i_PKCS12_bio(bio, nil) }) else {
            throw .noCertificate(OpenSSLError.take("reading PKCS #12").message)
        }
        defer { unsafe PKCS12_free(container) }
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var others: OpaquePointer?
        func opens(_ text: UnsafePointer<CChar>?) -> Bool {
            unsafe PKCS12_verify_mac(container, text, -1) == 1
                && PKCS12_parse(container, text, &key, &leaf, &others) == 1
        }
        // No passphrase and an empty one are two forms of the same (RFC 7292 appendix B.1).
        let isOpen =
            unsafe passphrase.withText { unsafe opens($0) }
            || !passphrase.isGiven && "".withCString { unsafe opens($0) }
        guard isOpen else { throw passphrase.isGiven ? .wrongPassphrase : .needsPassphrase }
        var chain: [OpenSSLCertificate] = []
        if let leaf = unsafe leaf {
            chain.append(unsafe OpenSSLCertificate(sharing: leaf))
            unsafe X509_free(leaf)
        }
        if let others = unsafe others {
            for index in 0..<(unsafe cprobe_certificates_count(others)) {
                guard let other = unsafe cprobe_certificate_at(others, index) else { continue }
                chain.append(unsafe OpenSSLCertificate(sharing: other))
                unsafe X509_free(other)
            }
            unsafe cprobe_certificates_free(others)
        }
        guard let key = unsafe key else { throw .noKey("PKCS #12 has none") }
        let owned = unsafe OpenSSLKey(takingOwnershipOf: key)
        guard !chain.isEmpty else { throw .noCertificate("PKCS #12 has none for its key") }
        return (chain, owned)
    }
}

/// Sole owner of a private key, which OpenSSL wipes when it goes.
@safe private final class OpenSSLKey {
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
private enum OpenSSLMemory {
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

/// A passphrase as OpenSSL asks for it. The end of the line that it has in a file is not part of it.
private final class OpenSSLPassphrase {
    private let secret: Secret?
    private(set) var wasAsked = false

    init(_ secret: Secret?) { self.secret = secret }

    var isGiven: Bool { secret != nil }

    /// Answers OpenSSL's question for the passphrase.
    func answer(_ room: UnsafeMutableRawBufferPointer) -> CInt {
        wasAsked = true
        return unsafe copy(to: room)
    }

    /// Copies the passphrase, and returns its length; -1 if there is none, or no room for it.
    private func copy(to room: UnsafeMutableRawBufferPointer) -> CInt {
        guard let secret else { return -1 }
        return secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                let text = unsafe Self.line(buffer)
                guard unsafe text.count <= room.count else { return -1 }
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: text))
                return unsafe CInt(text.count)
            }
        }
    }

    /// Lends the passphrase as a C string that is wiped afterwards; nil where there is none.
    func withText<Value>(_ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        guard let secret else { return body(nil) }
        let text = unsafe Secret(capacity: secret.count + 1) { room in
            let count = Int(max(0, unsafe copy(to: UnsafeMutableRawBufferPointer(rebasing: room.dropLast()))))
            unsafe room[count] = 0
            return count + 1
        }
        return text.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe body($0.bindMemory(to: CChar.self).baseAddress) }
        }
    }

    private static func line(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var text = unsafe bytes[...]
        while let last = unsafe text.last, last == 0x0a || last == 0x0d { unsafe text = text.dropLast() }
        return unsafe text
    }
}
