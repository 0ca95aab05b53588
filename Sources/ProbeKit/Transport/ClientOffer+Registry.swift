extension ClientOffer {
    /// A table of IANA's "TLS Parameters": the names of code points.
    ///
    /// A code point without a name here is written as `0x` and four hexadecimal digits, and read back the same way.
    public struct Registry: Sendable {
        private let names: [UInt16: String]
        private let numbers: [String: UInt16]

        /// A table of lines that are a number in hexadecimal, a space and a name.
        private init(_ text: String) {
            var names: [UInt16: String] = [:]
            var numbers: [String: UInt16] = [:]
            for line in text.split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count == 2, let number = UInt16(fields[0], radix: 16) else { continue }
                names[number] = String(fields[1])
                numbers[fields[1].lowercased()] = number
            }
            self.names = names
            self.numbers = numbers
        }

        /// The name of a code point, or its number as `0x1a2b`.
        public func name(of number: UInt16) -> String {
            names[number] ?? "0x" + Hex.encode([UInt8(number >> 8), UInt8(number & 0xff)])
        }

        /// Returns the code point of a name in any case, or of a number like `0x1a2b`; nil if it is neither.
        public func number(of name: String) -> UInt16? {
            if let number = numbers[name.lowercased()] { return number }
            guard name.hasPrefix("0x"), name.utf8.count == 6 else { return nil }
            return UInt16(name.dropFirst(2), radix: 16)
        }

        /// The known names, sorted.
        public var allNames: [String] { names.values.sorted() }

        /// Cipher suites that prove a server's identity by certificate. Signalling values
        /// (`TLS_EMPTY_RENEGOTIATION_INFO_SCSV`, `TLS_FALLBACK_SCSV`) are not suites.
        public static let cipherSuites = ClientOffer.Registry(
            """
            0001 TLS_RSA_WITH_NULL_MD5
            0002 TLS_RSA_WITH_NULL_SHA
            0003 TLS_RSA_EXPORT_WITH_RC4_40_MD5
            0004 TLS_RSA_WITH_RC4_128_MD5
            0005 TLS_RSA_WITH_RC4_128_SHA
            0006 TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5
            0007 TLS_RSA_WITH_IDEA_CBC_SHA
            0008 TLS_RSA_EXPORT_WITH_DES40_CBC_SHA
            0009 TLS_RSA_WITH_DES_CBC_SHA
            000A TLS_RSA_WITH_3DES_EDE_CBC_SHA
            000B TLS_DH_DSS_EXPORT_WITH_DES40_CBC_SHA
            000C TLS_DH_DSS_WITH_DES_CBC_SHA
            000D TLS_DH_DSS_WITH_3DES_EDE_CBC_SHA
            000E TLS_DH_RSA_EXPORT_WITH_DES40_CBC_SHA
            000F TLS_DH_RSA_WITH_DES_CBC_SHA
            0010 TLS_DH_RSA_WITH_3DES_EDE_CBC_SHA
            0011 TLS_DHE_DSS_EXPORT_WITH_DES40_CBC_SHA
            0012 TLS_DHE_DSS_WITH_DES_CBC_SHA
            0013 TLS_DHE_DSS_WITH_3DES_EDE_CBC_SHA
            0014 TLS_DHE_RSA_EXPORT_WITH_DES40_CBC_SHA
            0015 TLS_DHE_RSA_WITH_DES_CBC_SHA
            0016 TLS_DHE_RSA_WITH_3DES_EDE_CBC_SHA
            002F TLS_RSA_WITH_AES_128_CBC_SHA
            0030 TLS_DH_DSS_WITH_AES_128_CBC_SHA
            0031 TLS_DH_RSA_WITH_AES_128_CBC_SHA
            0032 TLS_DHE_DSS_WITH_AES_128_CBC_SHA
            0033 TLS_DHE_RSA_WITH_AES_128_CBC_SHA
            0035 TLS_RSA_WITH_AES_256_CBC_SHA
            0036 TLS_DH_DSS_WITH_AES_256_CBC_SHA
            0037 TLS_DH_RSA_WITH_AES_256_CBC_SHA
            0038 TLS_DHE_DSS_WITH_AES_256_CBC_SHA
            0039 TLS_DHE_RSA_WITH_AES_256_CBC_SHA
            003B TLS_RSA_WITH_NULL_SHA256
            003C TLS_RSA_WITH_AES_128_CBC_SHA256
            003D TLS_RSA_WITH_AES_256_CBC_SHA256
            003E TLS_DH_DSS_WITH_AES_128_CBC_SHA256
            003F TLS_DH_RSA_WITH_AES_128_CBC_SHA256
            0040 TLS_DHE_DSS_WITH_AES_128_CBC_SHA256
            0041 TLS_RSA_WITH_CAMELLIA_128_CBC_SHA
            0044 TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA
            0045 TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA
            0066 TLS_DHE_DSS_WITH_RC4_128_SHA
            0067 TLS_DHE_RSA_WITH_AES_128_CBC_SHA256
            0068 TLS_DH_DSS_WITH_AES_256_CBC_SHA256
            0069 TLS_DH_RSA_WITH_AES_256_CBC_SHA256
            006A TLS_DHE_DSS_WITH_AES_256_CBC_SHA256
            006B TLS_DHE_RSA_WITH_AES_256_CBC_SHA256
            0084 TLS_RSA_WITH_CAMELLIA_256_CBC_SHA
            0087 TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA
            0088 TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA
            0096 TLS_RSA_WITH_SEED_CBC_SHA
            0099 TLS_DHE_DSS_WITH_SEED_CBC_SHA
            009A TLS_DHE_RSA_WITH_SEED_CBC_SHA
            009C TLS_RSA_WITH_AES_128_GCM_SHA256
            009D TLS_RSA_WITH_AES_256_GCM_SHA384
            009E TLS_DHE_RSA_WITH_AES_128_GCM_SHA256
            009F TLS_DHE_RSA_WITH_AES_256_GCM_SHA384
            00A0 TLS_DH_RSA_WITH_AES_128_GCM_SHA256
            00A1 TLS_DH_RSA_WITH_AES_256_GCM_SHA384
            00A2 TLS_DHE_DSS_WITH_AES_128_GCM_SHA256
            00A3 TLS_DHE_DSS_WITH_AES_256_GCM_SHA384
            00A4 TLS_DH_DSS_WITH_AES_128_GCM_SHA256
            00A5 TLS_DH_DSS_WITH_AES_256_GCM_SHA384
            00BA TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256
            00BD TLS_DHE_DSS_WITH_CAMELLIA_128_CBC_SHA256
            00BE TLS_DHE_RSA_WITH_CAMELLIA_128_CBC_SHA256
            00C0 TLS_RSA_WITH_CAMELLIA_256_CBC_SHA256
            00C3 TLS_DHE_DSS_WITH_CAMELLIA_256_CBC_SHA256
            00C4 TLS_DHE_RSA_WITH_CAMELLIA_256_CBC_SHA256
            1301 TLS_AES_128_GCM_SHA256
            1302 TLS_AES_256_GCM_SHA384
            1303 TLS_CHACHA20_POLY1305_SHA256
            1304 TLS_AES_128_CCM_SHA256
            1305 TLS_AES_128_CCM_8_SHA256
            C002 TLS_ECDH_ECDSA_WITH_RC4_128_SHA
            C003 TLS_ECDH_ECDSA_WITH_3DES_EDE_CBC_SHA
            C004 TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA
            C005 TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA
            C006 TLS_ECDHE_ECDSA_WITH_NULL_SHA
            C007 TLS_ECDHE_ECDSA_WITH_RC4_128_SHA
            C008 TLS_ECDHE_ECDSA_WITH_3DES_EDE_CBC_SHA
            C009 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA
            C00A TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA
            C00C TLS_ECDH_RSA_WITH_RC4_128_SHA
            C00D TLS_ECDH_RSA_WITH_3DES_EDE_CBC_SHA
            C00E TLS_ECDH_RSA_WITH_AES_128_CBC_SHA
            C00F TLS_ECDH_RSA_WITH_AES_256_CBC_SHA
            C010 TLS_ECDHE_RSA_WITH_NULL_SHA
            C011 TLS_ECDHE_RSA_WITH_RC4_128_SHA
            C012 TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA
            C013 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA
            C014 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA
            C023 TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256
            C024 TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384
            C025 TLS_ECDH_ECDSA_WITH_AES_128_CBC_SHA256
            C026 TLS_ECDH_ECDSA_WITH_AES_256_CBC_SHA384
            C027 TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256
            C028 TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384
            C029 TLS_ECDH_RSA_WITH_AES_128_CBC_SHA256
            C02A TLS_ECDH_RSA_WITH_AES_256_CBC_SHA384
            C02B TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
            C02C TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384
            C02D TLS_ECDH_ECDSA_WITH_AES_128_GCM_SHA256
            C02E TLS_ECDH_ECDSA_WITH_AES_256_GCM_SHA384
            C02F TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
            C030 TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384
            C031 TLS_ECDH_RSA_WITH_AES_128_GCM_SHA256
            C032 TLS_ECDH_RSA_WITH_AES_256_GCM_SHA384
            C050 TLS_RSA_WITH_ARIA_128_GCM_SHA256
            C051 TLS_RSA_WITH_ARIA_256_GCM_SHA384
            C052 TLS_DHE_RSA_WITH_ARIA_128_GCM_SHA256
            C053 TLS_DHE_RSA_WITH_ARIA_256_GCM_SHA384
            C056 TLS_DHE_DSS_WITH_ARIA_128_GCM_SHA256
            C057 TLS_DHE_DSS_WITH_ARIA_256_GCM_SHA384
            C05C TLS_ECDHE_ECDSA_WITH_ARIA_128_GCM_SHA256
            C05D TLS_ECDHE_ECDSA_WITH_ARIA_256_GCM_SHA384
            C060 TLS_ECDHE_RSA_WITH_ARIA_128_GCM_SHA256
            C061 TLS_ECDHE_RSA_WITH_ARIA_256_GCM_SHA384
            C072 TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256
            C073 TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_CBC_SHA384
            C076 TLS_ECDHE_RSA_WITH_CAMELLIA_128_CBC_SHA256
            C077 TLS_ECDHE_RSA_WITH_CAMELLIA_256_CBC_SHA384
            C07A TLS_RSA_WITH_CAMELLIA_128_GCM_SHA256
            C07B TLS_RSA_WITH_CAMELLIA_256_GCM_SHA384
            C07C TLS_DHE_RSA_WITH_CAMELLIA_128_GCM_SHA256
            C07D TLS_DHE_RSA_WITH_CAMELLIA_256_GCM_SHA384
            C080 TLS_DHE_DSS_WITH_CAMELLIA_128_GCM_SHA256
            C081 TLS_DHE_DSS_WITH_CAMELLIA_256_GCM_SHA384
            C086 TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_GCM_SHA256
            C087 TLS_ECDHE_ECDSA_WITH_CAMELLIA_256_GCM_SHA384
            C08A TLS_ECDHE_RSA_WITH_CAMELLIA_128_GCM_SHA256
            C08B TLS_ECDHE_RSA_WITH_CAMELLIA_256_GCM_SHA384
            C09C TLS_RSA_WITH_AES_128_CCM
            C09D TLS_RSA_WITH_AES_256_CCM
            C09E TLS_DHE_RSA_WITH_AES_128_CCM
            C09F TLS_DHE_RSA_WITH_AES_256_CCM
            C0A0 TLS_RSA_WITH_AES_128_CCM_8
            C0A1 TLS_RSA_WITH_AES_256_CCM_8
            C0A2 TLS_DHE_RSA_WITH_AES_128_CCM_8
            C0A3 TLS_DHE_RSA_WITH_AES_256_CCM_8
            C0AC TLS_ECDHE_ECDSA_WITH_AES_128_CCM
            C0AD TLS_ECDHE_ECDSA_WITH_AES_256_CCM
            C0AE TLS_ECDHE_ECDSA_WITH_AES_128_CCM_8
            C0AF TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8
            CCA8 TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
            CCA9 TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256
            CCAA TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256
            """)

        /// Key exchange groups ("TLS Supported Groups").
        public static let groups = ClientOffer.Registry(
            """
            0001 sect163k1
            0003 sect163r2
            0006 sect233k1
            0007 sect233r1
            0009 sect283k1
            000A sect283r1
            000B sect409k1
            000C sect409r1
            000D sect571k1
            000E sect571r1
            0013 secp192r1
            0014 secp224k1
            0015 secp224r1
            0016 secp256k1
            0017 secp256r1
            0018 secp384r1
            0019 secp521r1
            001A brainpoolP256r1
            001B brainpoolP384r1
            001C brainpoolP512r1
            001D x25519
            001E x448
            0100 ffdhe2048
            0101 ffdhe3072
            0102 ffdhe4096
            0103 ffdhe6144
            0104 ffdhe8192
            11EB SecP256r1MLKEM768
            11EC X25519MLKEM768
            11ED SecP384r1MLKEM1024
            6399 X25519Kyber768Draft00
            """)

        /// Signature schemes (RFC 8446 section 4.2.3), and under the same pattern the pairs of TLS 1.2 that it dropped.
        public static let signatureSchemes = ClientOffer.Registry(
            """
            0201 rsa_pkcs1_sha1
            0202 dsa_sha1
            0203 ecdsa_sha1
            0301 rsa_pkcs1_sha224
            0302 dsa_sha224
            0303 ecdsa_sha224
            0401 rsa_pkcs1_sha256
            0402 dsa_sha256
            0403 ecdsa_secp256r1_sha256
            0501 rsa_pkcs1_sha384
            0502 dsa_sha384
            0503 ecdsa_secp384r1_sha384
            0601 rsa_pkcs1_sha512
            0602 dsa_sha512
            0603 ecdsa_secp521r1_sha512
            0804 rsa_pss_rsae_sha256
            0805 rsa_pss_rsae_sha384
            0806 rsa_pss_rsae_sha512
            0807 ed25519
            0808 ed448
            0809 rsa_pss_pss_sha256
            080A rsa_pss_pss_sha384
            080B rsa_pss_pss_sha512
            081A ecdsa_brainpoolP256r1tls13_sha256
            081B ecdsa_brainpoolP384r1tls13_sha384
            081C ecdsa_brainpoolP512r1tls13_sha512
            """)
    }
}
