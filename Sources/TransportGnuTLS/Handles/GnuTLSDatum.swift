import CProbeGnuTLS

extension RawSpan {
    /// Lends the bytes to C as a datum, which must not be kept or written to.
    func withDatum<Result, Failure>(
        _ body: (UnsafePointer<gnutls_datum_t>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe withUnsafeBytes { (bytes) throws(Failure) in
            // GnuTLS has one datum type for input and output; as input it is not written to.
            var datum = unsafe gnutls_datum_t(
                data: UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress),
                size: UInt32(bytes.count))
            return try unsafe body(&datum)
        }
    }
}

extension Array<UInt8> {
    /// Lends the bytes to C as a datum, which must not be kept or written to.
    func withDatum<Result, Failure>(
        _ body: (UnsafePointer<gnutls_datum_t>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe span.bytes.withDatum(body)
    }

    /// Copies the bytes of a datum that stays GnuTLS' own.
    init(copying datum: gnutls_datum_t) {
        self = unsafe Array(UnsafeBufferPointer(start: datum.data, count: datum.data == nil ? 0 : Int(datum.size)))
    }

    /// Copies the bytes of a datum that GnuTLS allocated for the caller, and frees it.
    init(takingOwnershipOf datum: gnutls_datum_t) {
        unsafe self.init(copying: datum)
        unsafe cprobe_gnutls_free(datum.data)
    }
}
