import Foundation
import ProbeKit
import ProbeLab
import Testing

@testable import ProbeOpenSSL

/// The verification by a store alone, without settings of its own: libcurl from 8.4 on adds none to a store of ours.
@Suite struct OpenSSLStoreTests {
    @Test func anyAnchorEndsAChain() throws {
        let identity = try LabPKI(epoch: .now).identity(.good)
        let issuers = TrustAnchors(name: "the issuers", certificates: Array(identity.chain.dropFirst()))
        let verification = try OpenSSLVerification(
            store: OpenSSLStore(issuers), leaf: OpenSSLCertificate(der: identity.leaf), untrusted: [])
        let errors = try verification.run()
        #expect(errors.isEmpty, "\(errors)")
        #expect(verification.path == Array(identity.chain.prefix(2)))
    }
}
