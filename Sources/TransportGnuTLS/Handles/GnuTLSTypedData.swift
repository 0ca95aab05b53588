import CProbeGnuTLS
import ProbeKit

/// The inputs of a verification beside the chain: the name and the purpose, as `gnutls_typed_vdata_st`.
struct GnuTLSTypedData {
    private var bytes: [UInt8] = []
    private var elements: [(type: gnutls_vdata_types_t, range: Range<Int>)] = []

    /// Creates the data for a name and a purpose, as far as there are any.
    init(name: ServerName?, purpose: String?) {
        switch name {
        case .dns(let name): append(GNUTLS_DT_DNS_HOSTNAME, Array(name.utf8))
        case .ip(let address): append(GNUTLS_DT_IP_ADDRESS, address.bytes)
        case nil: break
        }
        if let purpose { append(GNUTLS_DT_KEY_PURPOSE_OID, Array(purpose.utf8)) }
    }

    /// Appends a value and a zero, since GnuTLS reads names and purposes as C strings.
    private mutating func append(_ type: gnutls_vdata_types_t, _ value: [UInt8]) {
        elements.append((type, bytes.count..<bytes.count + value.count))
        bytes += value + [0]
    }

    /// Lends the elements to C for the duration of the call.
    mutating func withElements(_ body: (UnsafeMutablePointer<gnutls_typed_vdata_st>?, UInt32) -> CInt) -> CInt {
        unsafe bytes.withUnsafeMutableBufferPointer { [elements] bytes in
            var data = unsafe elements.map { element in
                unsafe gnutls_typed_vdata_st(
                    type: element.type, data: bytes.baseAddress.map { unsafe $0 + element.range.lowerBound },
                    size: UInt32(element.range.count))
            }
            return unsafe body(&data, UInt32(data.count))
        }
    }
}
