/// Typical files of pins. The two SPKI pins are a shipped app's (requirement 4).
enum Samples {
    static let one = "fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY="
    static let two = "XuAdGZ5Hy28pa2OHHMOry/fzpW8XyA5AV5bEDwSX2Ys="
    static let oneHex = "7f0a782800c3c8aa836b7a8de6fcba5142657df5c19e3ceb7a2dd04ee6287d86"
    static let twoHex = "5ee01d199e47cb6f296b63871cc3abcbf7f3a56f17c80e405796c40f0497d98b"
    /// A leaf certificate's fingerprint (requirement 2).
    static let colons =
        "CC:F7:8E:09:EF:F3:3D:9A:5D:8B:B0:5C:74:28:0D:F6:BE:14:1C:C4:47:F9:69:C2:90:2C:43:97:66:8B:3D:CC"
    static let leaf = "zPeOCe/zPZpdi7BcdCgN9r4UHMRH+WnCkCxDl2aLPcw="

    static let apple = plist(
        """
        <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
          <key>lutheran.radio</key><dict>
            <key>NSIncludesSubdomains</key><true/>
            <key>NSPinnedLeafIdentities</key><array>
              <dict><key>SPKI-SHA256-BASE64</key><string>\(one)</string></dict>
            </array>
            <key>NSPinnedCAIdentities</key><array>
              <dict><key>SPKI-SHA256-BASE64</key><string>\(two)</string></dict>
            </array>
          </dict>
        </dict></dict>
        """)

    static let trustKit = plist(
        """
        <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict>
          <key>example.com</key><dict>
            <key>TSKIncludeSubdomains</key><true/>
            <key>TSKEnforcePinning</key><false/>
            <key>TSKExpirationDate</key><string>2027-02-01</string>
            <key>TSKPublicKeyHashes</key><array><string>\(one)</string><string>\(two)</string></array>
          </dict>
          <key>free.example.com</key><dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>
        </dict></dict>
        """)

    static func plist(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>\(body)</dict></plist>
        """
    }

    static let android = """
        <?xml version="1.0" encoding="utf-8"?>
        <network-security-config>
          <domain-config cleartextTrafficPermitted="false">
            <domain includeSubdomains="true">Example.com</domain>
            <pin-set expiration="2027-01-01">
              <pin digest="SHA-256">
                \(one)
              </pin>
              <pin digest="SHA-256">\(two)</pin>
            </pin-set>
            <domain-config><domain includeSubdomains="true">free.example.com</domain><pin-set/></domain-config>
            <domain-config><domain>kept.example.com</domain></domain-config>
          </domain-config>
        </network-security-config>
        """

    static let okHttpLines = """
        # pins of the app
        example.com sha256/\(one)
        *.example.com sha256/\(one) sha256/\(two)
        **.other.test sha256/\(two)
        """

    static let okHttpKotlin = """
        val pinner = CertificatePinner.Builder()
            .add("example.com", "sha256/\(one)")
            .add(
                "*.example.com",
                "sha256/\(one)",
                "sha256/\(two)",
            )
            .build()
        """

    static let curl = "sha256//\(one);sha256//\(two)\n"
    static let hpkp = """
        HTTP/1.1 200 OK
        Public-Key-Pins: pin-sha256="\(one)"; pin-sha256="\(two)"; max-age=5184000; report-uri="https://a.test/?x;y"
        Public-Key-Pins-Report-Only: pin-sha256="\(two)"; pin-sha256="\(one)"; max-age=60
        """
    static let gnutls = "pin-sha256:\(one)\npin-sha256:\(two)\n"
    static let fingerprint = "sha256 Fingerprint=\(colons)\n"
    static let hex =
        "spki@leaf:sha256:\(oneHex)\nspki@leaf:\(twoHex.uppercased())\ncert:sha256:\(KnownRoot.digiCert.cert)\n"
    static let rawKeys =
        "rawkey:sha256:\(KnownRoot.digiCert.rawkey)\nrawkey:sha256:\(KnownRoot.staatDerNederlanden.rawkey)\n"
    static let base64 = "\(one)\n\(two)\n"
    static let zone = """
        $ORIGIN example.com.
        $TTL 3600
        _443._tcp.www IN TLSA 1 1 1 \(oneHex)
                      IN TLSA 1 0 1 ( \(twoHex.prefix(30))
                         \(twoHex.dropFirst(30)) ) ; the certificate
        _8443._tcp.api.example.com. 300 IN TLSA 0 1 1 \(oneHex)
        _993._tcp.mail TLSA 0 1 1 \(oneHex)
        _993._tcp.mail TLSA 1 1 1 \(oneHex)
        """
    static let dig = "1 1 1 \(oneHex.uppercased().prefix(56)) \(oneHex.uppercased().dropFirst(56))\n"
    static let wultra = """
        {"fingerprints": [
          {"name": "api.example.com", "fingerprint": "\(leaf)", "expires": 1893456000, "signature": "MEUC"},
          {"name": "api.example.com", "fingerprint": "\(one)", "expires": 1893456001}
        ]}
        """
}
