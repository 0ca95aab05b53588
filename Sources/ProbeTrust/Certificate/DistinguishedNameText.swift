import ProbeKit
import SwiftASN1
import X509

/// Distinguished names as RFC 4514 text.
package enum DistinguishedNameText {
    /// Returns the text of a name in DER; nil if it is malformed.
    package static func of(_ der: [UInt8]) -> String? {
        (try? DistinguishedName(derEncoded: DER.parse(der))).map { PrintableText.escape("\($0)") }
    }
}
