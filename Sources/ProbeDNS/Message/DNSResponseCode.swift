/// The names of response codes (IANA registry "DNS RCODEs").
package enum DNSResponseCode {
    private static let names: [UInt16: String] = [
        0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED", 6: "YXDOMAIN",
        7: "YXRRSET",
        8: "NXRRSET", 9: "NOTAUTH", 10: "NOTZONE", 16: "BADVERS", 23: "BADCOOKIE",
    ]

    package static func name(_ code: UInt16) -> String {
        names[code].map { "\($0) (\(code))" } ?? String(code)
    }

    /// Returns the name alone, or the number of a code without one.
    package static func mnemonic(_ code: UInt16) -> String { names[code] ?? String(code) }
}
