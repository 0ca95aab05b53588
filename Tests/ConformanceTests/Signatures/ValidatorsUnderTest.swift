import ProbeKit
import Testing
import TransportGnuTLS
import TransportOpenSSL

/// The validators that the suite runs against. A new one is a line in the list.
enum ValidatorsUnderTest {
    static let all: [ValidatorUnderTest] = [
        ValidatorUnderTest(validator: OpenSSLSignatures()), ValidatorUnderTest(validator: GnuTLSSignatures()),
    ]
}

struct ValidatorUnderTest: Sendable, CustomTestStringConvertible {
    let validator: any SignatureValidator
    var testDescription: String { validator.identity.name }
}
