import CProbeGnuTLS
public import ProbeKit

/// SHA-256 by GnuTLS, which means nettle.
public struct GnuTLSDigester: Digester {
    /// GnuTLS, with the loaded version of the library.
    public var identity: BackendIdentity { GnuTLSLibrary.identity }
    /// `gnutls`.
    public var name: String { GnuTLSLibrary.name }
    /// The absence of libgnutls; a digest asked for all the same ends the program.
    public var absence: BackendAbsence? { GnuTLSLibrary.absence }

    /// Creates a digester without state.
    public init() {}

    /// Returns SHA-256 of `bytes`, in one call and without allocating.
    public func sha256(_ bytes: Span<UInt8>) -> PinDigest {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PinDigest.written(by: {
                unsafe gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, $0) == 0
            })
        }
    }
}

/// GnuTLS's `gnutls_hash_fast`, and its certificate import, from C.
public struct GnuTLSDigestFloor: DigestFloor {
    /// The digester being measured.
    public let digester = GnuTLSDigester()

    /// Creates a floor without state.
    public init() {}

    /// Returns SHA-256 of `bytes`, `rounds` times over.
    public func sha256(_ bytes: Span<UInt8>, rounds: Int) -> PinDigest {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe PinDigest.written(by: {
                unsafe cprobe_gnutls_sha256_rounds(bytes.baseAddress, bytes.count, rounds, $0) == 0
            })
        }
    }

    /// Returns the certificate's key id by SHA-256, `rounds` times over.
    public func keySHA256(certificate der: Span<UInt8>, rounds: Int) -> PinDigest? {
        unsafe der.withUnsafeBytes { der in
            unsafe PinDigest(writing: {
                unsafe cprobe_gnutls_key_sha256_rounds(der.baseAddress, UInt32(der.count), rounds, $0) == 0
            })
        }
    }
}
