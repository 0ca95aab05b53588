public import ProbeKit
public import ProbePlatform
import Synchronization

/// A test PKI around one instant: CAs, good and faulty leaves, and their keys.
///
/// Everything is made on first use and kept, so unused parts cost nothing, and the same name always gives the same
/// bytes. Two PKIs share nothing but the embedded RSA keys.
///
///     let pki = LabPKI(epoch: try RFC3339.parse("2026-11-01T12:00:00Z"))
///     let identity = try pki.identity(.expired)
///     identity.chain      // leaf and intermediate as DER
public final class LabPKI: Sendable {
    /// The instant everything is valid around, in whole seconds.
    public let epoch: Date

    private let keys = FirstValue<LabKeyID, LabKey>()
    private let authorities = FirstValue<LabAuthority, [UInt8]>()
    private let identities = FirstValue<LabIdentityName, LabIdentity>()
    private let staples = FirstValue<LabIdentityName, [UInt8]>()

    /// Creates a PKI around `epoch`, rounded down to the second. Leaves are valid for 30 days before it and 60 days
    /// after it, CAs for a year before it and nine years after it.
    ///
    /// - Parameter given: identities from elsewhere, which take the place of those of their names.
    public init(epoch: Date, given: [LabIdentityName: LabIdentity] = [:]) {
        self.epoch = Date(timeIntervalSince1970: epoch.timeIntervalSince1970.rounded(.down))
        for (name, identity) in given { _ = identities.value(of: name) { identity } }
    }

    /// Returns the identity with this name.
    public func identity(_ name: LabIdentityName) throws -> LabIdentity {
        try identities.value(of: name) {
            let recipe = name.recipe
            return LabIdentity(
                leaf: try issue(recipe.leaf), presenting: try recipe.presented.map(certificate(of:)),
                key: try key(recipe.leaf.key))
        }
    }

    /// Returns the OCSP response that the identity's servers staple: the leaf's issuer says that it is good.
    ///
    /// - Throws: ``LabError`` for a leaf that no authority issued.
    public func staple(of name: LabIdentityName) throws -> [UInt8] {
        guard let issuer = name.recipe.leaf.issuer else {
            throw LabError.cannotServe("no authority issued '\(name.rawValue)', so none gives its status")
        }
        return try staples.value(of: name) {
            try encode(LabOCSPResponse(.good), about: try identity(name).leaf, issuer: issuer)
        }
    }

    /// Returns the CA's certificate as DER.
    public func certificate(of authority: LabAuthority) throws -> [UInt8] {
        try authorities.value(of: authority) { try issue(authority.recipe) }
    }

    /// Returns the key with this id.
    public func key(_ id: LabKeyID) throws -> LabKey {
        try keys.value(of: id) { try LabKey(id) }
    }

    /// Returns a new certificate as DER; the same recipe gives another serial number each time.
    public func issue(_ recipe: LabCertificateRecipe) throws -> [UInt8] {
        try issue(recipe, by: recipe.issuer?.recipe ?? recipe)
    }

    /// Returns a new certificate as DER, issued by a CA that is a recipe itself and need not be one of the
    /// PKI's.
    public func issue(_ recipe: LabCertificateRecipe, by issuer: LabCertificateRecipe) throws -> [UInt8] {
        try LabCertificateEncoder(
            recipe: recipe, subjectKey: key(recipe.key), issuer: issuer, issuerKey: key(issuer.key), epoch: epoch
        ).encode()
    }

    /// Returns the root as the only anchor.
    public func anchors() throws -> TrustAnchors {
        TrustAnchors(name: "lab", certificates: [try certificate(of: .root)])
    }

    /// Returns the given CAs as anchors.
    public func anchors(_ authorities: [LabAuthority]) throws -> TrustAnchors {
        TrustAnchors(name: "lab", certificates: try authorities.map(certificate(of:)))
    }

    /// Returns the root as PEM, the way `--ca` reads it.
    public func rootPEM() throws -> String {
        LabIdentity.pem([try certificate(of: .root)])
    }
}

/// Values made on first use and kept; if two callers race, both get the kept one.
final class FirstValue<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    /// Returns the value of `key`. `make` runs outside the lock, so it may ask for other values.
    func value(of key: Key, make: () throws -> Value) rethrows -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let made = try make()
        return values.withLock { values in
            if let known = values[key] { return known }
            values[key] = made
            return made
        }
    }
}
