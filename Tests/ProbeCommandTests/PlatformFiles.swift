import Foundation
import ProbeKit

/// The pins of one app as five files: one for each platform, and a profile of our own.
struct PlatformFiles {
    /// The domain; the pins hold below it as far as each platform's rules go.
    let domain: String
    /// Base64 of the SPKI hashes.
    let pins: [String]

    /// Each file's name and text.
    var texts: [(name: String, text: String)] {
        [
            ("Info.plist", apple), ("network_security_config.xml", android), ("Pins.kt", okHttp),
            ("TrustKit.plist", trustKit), ("app.yaml", native),
        ]
    }

    /// Writes the files.
    ///
    /// - Returns: their paths, in the order of ``texts``.
    func write(to folder: URL) throws -> [String] {
        try texts.map { name, text in
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
    }

    private var apple: String {
        let identities = pins.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }.joined()
        return plist(
            """
            <key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict><key>\(domain)</key><dict>
            <key>NSIncludesSubdomains</key><true/>
            <key>NSPinnedLeafIdentities</key><array>\(identities)</array></dict></dict></dict>
            """)
    }

    private var trustKit: String {
        let hashes = pins.map { "<string>\($0)</string>" }.joined()
        return plist(
            """
            <key>TSKConfiguration</key><dict><key>TSKPinnedDomains</key><dict><key>\(domain)</key><dict>
            <key>TSKIncludeSubdomains</key><true/><key>TSKEnforcePinning</key><true/>
            <key>TSKPublicKeyHashes</key><array>\(hashes)</array></dict></dict></dict>
            """)
    }

    private func plist(_ body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(body)</dict></plist>"
    }

    private var android: String {
        let set = pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
        return """
            <network-security-config><domain-config><domain includeSubdomains="true">\(domain)</domain>
            <pin-set>\(set)</pin-set></domain-config></network-security-config>
            """
    }

    private var okHttp: String {
        let arguments = (["*.\(domain)"] + pins.map { "sha256/\($0)" }).map { "\"\($0)\"" }.joined(separator: ", ")
        return "val pinner = CertificatePinner.Builder()\n    .add(\(arguments))\n    .build()\n"
    }

    private var native: String {
        let set = pins.map { "\"spki:sha256:\($0)\"" }.joined(separator: ", ")
        return """
            profile: 1
            services:
              api: {url: "https://api.\(domain):8443", pins: [{position: leaf, anyOf: [\(set)]}]}
              web: {url: "https://api.\(domain)", pins: [{position: leaf, anyOf: [\(set)]}]}
            """
    }
}
