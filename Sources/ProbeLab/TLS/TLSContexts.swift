import NIOCore
import NIOSSL
import ProbeKit

/// Turns a ``LabTLSRecipe`` into NIOSSL's configuration.
enum TLSContexts {
    /// Returns the maker of the handler that does the TLS of one connection.
    ///
    /// - Throws: BoringSSL's error for a certificate or key it rejects, or ``LabError`` for settings that don't go together.
    static func handlers(
        _ recipe: LabTLSRecipe, pki: LabPKI
    ) throws -> @Sendable () throws -> any ChannelHandler {
        if let flight = recipe.flight { return try serversByHand(recipe, flight, pki: pki) }
        if recipe.staples || !recipe.timestamps.isEmpty { return try memoryServers(recipe, pki: pki) }
        let context = try context(recipe, pki: pki)
        guard let clients = try recipe.takesClients?.map({ try pki.identity($0).leaf }) else {
            return { NIOSSLServerHandler(context: context) }
        }
        return {
            NIOSSLServerHandler(context: context) { chain, promise in
                let leaf = try? chain.first?.toDERBytes()
                promise.succeed(leaf.map(clients.contains) ?? false ? .certificateVerified : .failed)
            }
        }
    }

    private static func memoryServers(
        _ recipe: LabTLSRecipe, pki: LabPKI
    ) throws -> @Sendable () throws -> any ChannelHandler {
        let (versions, timestamps) = (recipe.versions, recipe.timestamps)
        let served = LabTLSRecipe(
            recipe.identity, versions: versions, staples: recipe.staples, timestamps: timestamps)
        guard recipe == served else {
            throw LabError.cannotServe("with a staple or timestamps it can have an identity and versions, nothing else")
        }
        let identity = try pki.identity(recipe.identity)
        let staple = try recipe.staples ? pki.staple(of: recipe.identity) : nil
        // A certificate or a list that BoringSSL rejects is an error of the start, not of the first connection.
        _ = try LabMemoryServer(identity, versions: versions, staple: staple, timestamps: timestamps)
        return {
            let server = try LabMemoryServer(identity, versions: versions, staple: staple, timestamps: timestamps)
            return MemoryServerHandler { server.take($0) }
        }
    }

    private static func serversByHand(
        _ recipe: LabTLSRecipe, _ flight: LabFlight, pki: LabPKI
    ) throws -> @Sendable () throws -> any ChannelHandler {
        guard recipe == LabTLSRecipe(recipe.identity, versions: .tls12 ... .tls12, flight: flight) else {
            throw LabError.cannotServe("with a flight by hand it can have an identity and TLS 1.2, nothing else")
        }
        let identity = try pki.identity(recipe.identity)
        // A key that can't sign is an error of the start, not of the first connection.
        _ = try TLS12Flight(flight, of: identity, share: [], to: [])
        return {
            let server = TLS12Server(identity, flight)
            return MemoryServerHandler { server.take($0) }
        }
    }

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
            configuration.sendCANameList = recipe.namesIssuers
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
