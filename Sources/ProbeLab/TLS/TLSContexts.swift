import NIOCore
import NIOSSL
import ProbeKit

/// Turns a ``LabTLSRecipe`` into NIOSSL's configuration.
enum TLSContexts {
    /// Returns the context for a recipe.
    ///
    /// - Throws: BoringSSL's error for a certificate or key it rejects.
    static func context(_ recipe: LabTLSRecipe, pki: LabPKI) throws -> NIOSSLContext {
        let (chain, key) = try material(pki.identity(recipe.identity))
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
        configuration.minimumTLSVersion = version(recipe.versions.lowerBound)
        configuration.maximumTLSVersion = version(recipe.versions.upperBound)
        configuration.applicationProtocols = recipe.applicationProtocols
        configuration.signingSignatureAlgorithms = recipe.signatureSchemes?.map(SignatureAlgorithm.init(rawValue:))
        configuration.curves = recipe.groups?.map(NIOTLSCurve.init(rawValue:))
        if let suites = recipe.cipherSuites {
            configuration.cipherSuiteValues = suites.map(NIOTLSCipher.init(rawValue:))
        }
        if recipe.asksForCertificate || recipe.requiresCertificate {
            configuration.certificateVerification =
                recipe.requiresCertificate ? .noHostnameVerification : .optionalVerification
            configuration.trustRoots = .certificates([
                try NIOSSLCertificate(bytes: pki.certificate(of: .root), format: .der)
            ])
        }
        if !recipe.identitiesByName.isEmpty {
            let others = try recipe.identitiesByName.mapValues { name in
                var change = NIOSSLContextConfigurationOverride()
                let (chain, key) = try material(pki.identity(name))
                change.certificateChain = chain
                change.privateKey = key
                return change
            }
            configuration.sslContextCallback = { hello, promise in
                promise.succeed(hello.serverHostname.flatMap { others[$0.lowercased()] } ?? .noChanges)
            }
        }
        return try NIOSSLContext(configuration: configuration)
    }

    private static func material(
        _ identity: LabIdentity
    ) throws -> (chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource) {
        let chain = try identity.chain.map {
            NIOSSLCertificateSource.certificate(try NIOSSLCertificate(bytes: $0, format: .der))
        }
        return (chain, .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem)))
    }

    private static func version(_ version: ProbeKit.TLSVersion) -> NIOSSL.TLSVersion {
        switch version {
        case .tls10: .tlsv1
        case .tls11: .tlsv11
        case .tls12: .tlsv12
        case .tls13: .tlsv13
        }
    }
}
