#if canImport(CProbeIDN2)
    import CProbeIDN2
#endif

/// Host names outside ASCII: IDNA 2008 with the mapping of UTS 46, non-transitional, by libidn2.
package enum InternationalName {
    /// The reason why a name has no form in ASCII.
    package enum Refusal: Error, Sendable {
        /// IDNA refuses a label, for a reason in the library's own words.
        case label(String, reason: String)
        /// This build has no libidn2.
        case notInThisBuild
    }

    /// Returns the A-label form of a name; its labels may have any form.
    package static func ascii(_ name: String) throws(Refusal) -> String {
        #if canImport(CProbeIDN2)
            let (whole, code) = converted(name)
            if let whole { return whole }
            // The library does not say which label it was.
            for label in name.split(separator: ".") {
                let (form, reason) = converted(String(label))
                if form == nil { throw .label(String(label), reason: words(of: reason)) }
            }
            throw .label(name, reason: words(of: code))
        #else
            throw .notInThisBuild
        #endif
    }

    /// Returns a name in ASCII with its A-labels as people write them; nil if it has none that IDNA would make the same
    /// again, so that nothing is shown that is not the name.
    package static func unicode(_ name: String) -> String? {
        #if canImport(CProbeIDN2)
            guard name.lowercased().contains("xn--") else { return nil }
            var output: UnsafeMutablePointer<CChar>?
            guard unsafe idn2_to_unicode_8z8z(name, &output, 0) == IDN2_OK.rawValue, let text = unsafe output else {
                return nil
            }
            defer { unsafe idn2_free(text) }
            let shown = unsafe String(cString: text)
            guard shown != name, converted(shown).form == name.lowercased() else { return nil }
            return shown
        #else
            return nil
        #endif
    }

    #if canImport(CProbeIDN2)
        private static func converted(_ name: String) -> (form: String?, code: CInt) {
            // C would stop reading at a NUL.
            guard !name.utf8.contains(0) else { return (nil, IDN2_DISALLOWED.rawValue) }
            var output: UnsafeMutablePointer<CChar>?
            let flags = CInt(IDN2_NONTRANSITIONAL.rawValue | IDN2_NFC_INPUT.rawValue)
            let code = unsafe idn2_to_ascii_8z(name, &output, flags)
            guard code == IDN2_OK.rawValue, let text = unsafe output else { return (nil, code) }
            defer { unsafe idn2_free(text) }
            return (unsafe String(cString: text), code)
        }

        private static func words(of code: CInt) -> String {
            unsafe idn2_strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        }
    #endif
}
