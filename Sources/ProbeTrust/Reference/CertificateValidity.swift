import ProbePlatform
import X509

extension Date {
    /// The second that has begun: certificates, revocation lists and OCSP responses count whole ones, and both ends of a
    /// validity are inclusive (RFC 5280 section 4.1.2.5).
    var wholeSecond: Date {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate.rounded(.down))
    }
}

extension ParsedCertificate {
    /// Returns true if the certificate has expired at a whole second.
    func isOver(at second: Date, _ habits: VerifierHabits) -> Bool {
        let end = certificate.notValidAfter
        return habits.includesLastSecond ? second > end : second >= end
    }

    /// Returns true if an instant is within the validity, as the verifier with these habits counts it.
    func isValid(at instant: Date, _ habits: VerifierHabits) -> Bool {
        let second = instant.wholeSecond
        return second >= certificate.notValidBefore && !isOver(at: second, habits)
    }
}
