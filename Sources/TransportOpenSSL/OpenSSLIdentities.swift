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
