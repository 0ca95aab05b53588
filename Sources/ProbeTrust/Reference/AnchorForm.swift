import X509

extension ParsedCertificate {
    /// Returns false if the authority key identifier names another certificate than `issuer`: by its key identifier, or by its
    /// own issuer and serial number (RFC 5280 section 4.2.1.1). What one of the two leaves out is not compared.
    func names(asIssuer issuer: ParsedCertificate) -> Bool {
        guard namesKey(of: issuer) else { return false }
        if let serial = extensions.authoritySerial, serial != issuer.certificate.serialNumber { return false }
        return extensions.authorityIssuer.map { $0 == issuer.issuer } ?? true
    }

    /// Returns false if the authority key identifier is that of another key than `issuer`'s.
    func namesKey(of issuer: ParsedCertificate) -> Bool {
        guard let wanted = extensions.authorityKey, let has = issuer.extensions.subjectKey else { return true }
        return wanted == has
    }

    /// Returns true if a path may end at the certificate, which is among the roots.
    func isAnchor(of form: VerifierHabits.AnchorForm) -> Bool {
        switch form {
        case .any: true
        case .selfIssued: isSelfIssued && names(asIssuer: self)
        case .selfIssuedAuthority: isAnchor(of: .selfIssued) && extensions.keyUsage?.keyCertSign != false
        }
    }
}

extension ParsedAnchors {
    /// Returns the certificates at which a path may end, and the others, which are only known to a verifier.
    func divided(by form: VerifierHabits.AnchorForm) -> (ends: ParsedAnchors, known: [ParsedCertificate]) {
        guard form != .any else { return (self, []) }
        let ends = bySubject.compactMapValues { certificates in
            let ends = certificates.filter { $0.isAnchor(of: form) }
            return ends.isEmpty ? nil : ends
        }
        let known = bySubject.values.flatMap { certificates in certificates.filter { !$0.isAnchor(of: form) } }
        return (ParsedAnchors(ends, unreadable: unreadable, revocationLists: revocationLists), known)
    }
}
