import Foundation
import ProbeKit
import ProbeLab
import Testing
import TransportOpenSSL

/// Client identities from PEM.
@Suite struct OpenSSLIdentitiesTests {
    private static let client = Result { try LabPKI(epoch: .now).identity(.clientPurpose) }

    private func identity(_ pem: String) throws -> ClientIdentity {
        try OpenSSLIdentities().identity(
            certificate: Secret(copying: Array(pem.utf8).span), key: nil, passphrase: nil)
    }

    @Test func everyCertificateIsReadInOrder() throws {
        let client = try Self.client.get()
        for pem in [
            client.chainPEM + client.keyPEM, client.keyPEM + "\n" + client.chainPEM,
            "the chain:\n" + client.chainPEM + "the key:\n" + client.keyPEM + "\nthe end\n",
        ] {
            #expect(try identity(pem).chain == client.chain)
        }
    }

    /// Without it the server would be shown another chain, and would be blamed for refusing it.
    @Test(
        arguments: [
            "*\n-----END CERTIFICATE-----\n", "AAAA\n-----END CERTIFICATE-----\n", "-----END CERTIFICATE-----\n",
            "AAAA\n",
        ])
    func aLaterCertificateThatCanNotBeReadIsNamed(rest: String) throws {
        let client = try Self.client.get()
        let error = #expect(throws: ClientIdentity.Problem.self) {
            try identity(client.chainPEM + "-----BEGIN CERTIFICATE-----\n" + rest + client.keyPEM)
        }
        guard case .noCertificate(let words)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(words.hasPrefix("certificate \(client.chain.count + 1) "), "\(words)")
    }
}
