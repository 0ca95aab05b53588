public import ProbeKit
public import ProbeLab
import ProbePlatform
import ProbeTrust

extension SignatureScenario {
    /// All of them, by topic.
    public static let all = forms + contents + structures + chains + signers

    /// The result of a scenario.
    public struct Result: Sendable {
        /// The answer.
        public let reading: SignatureReading
        /// The outcome expected of the validator.
        public let expected: Outcome
        /// The duration.
        public let duration: Duration
        /// A description of the broken promise, with the evidence; nil if it was kept.
        public let failure: String?
    }

    /// Asks a validator, and compares its answer with the promise.
    ///
    /// - Parameters:
    ///   - validator: the validator to ask.
    ///   - pki: makes the messages, and the anchors.
    /// - Throws: an error of the lab, if the scenario itself could not be played.
    public func run(with validator: any SignatureValidator, pki: LabPKI) async throws -> Result {
        let question = try question(pki)
        let start = ContinuousClock.now
        let reading = await validator.validate(question)
        let name = validator.name
        return Result(
            reading: reading, expected: expectedCause(of: name)?.outcome ?? .pass, duration: start.duration(to: .now),
            failure: failure(reading, of: name))
    }

    /// Returns the question that is asked; its certificates are new each time.
    public func question(_ pki: LabPKI) throws -> SignatureQuestion {
        let (signature, content, certificates, recipe) = try materials(pki)
        return SignatureQuestion(
            signature: signature, content: self.content ?? content,
            signers: try trusted.map { try signer($0, pki, certificate: certificates.first, recipe) },
            instant: pki.epoch.addingTimeInterval(TimeInterval(instant)))
    }

    private func materials(
        _ pki: LabPKI
    ) throws -> (signature: [UInt8], content: [UInt8], certificates: [[UInt8]], recipe: LabCMSRecipe) {
        switch message {
        case .signed(let recipe):
            let message = try pki.sign(recipe)
            return (message.bytes, recipe.content, message.certificates, recipe)
        case .truncated(let recipe, let count):
            let message = try pki.sign(recipe)
            return (message.bytes.dropLast(count), recipe.content, message.certificates, recipe)
        case .confused(let recipe):
            // The same as moving the signature over: it is over the same bytes with the same key.
            var second = recipe
            second.content = try pki.sign(recipe).signedBytes
            for index in second.signers.indices { second.signers[index].attributes = .none }
            let message = try pki.sign(second)
            return (message.bytes, second.content, message.certificates, second)
        case .bytes(let bytes):
            let recipe = LabCMSRecipe()
            return (bytes, recipe.content, [], recipe)
        }
    }

    private func signer(
        _ trusted: Trusted, _ pki: LabPKI, certificate: [UInt8]?, _ recipe: LabCMSRecipe
    ) throws -> TrustedSigner {
        let anchors = try trusted.anchors.map { anchor -> [UInt8] in
            switch anchor {
            case .authority(let authority): try pki.certificate(of: authority)
            case .signer: certificate ?? []
            case .junk: Array("no certificate".utf8)
            }
        }
        let leaf = recipe.signers.first?.certificate
        let anchorKey: LabKeyID? =
            switch trusted.anchors.first {
            case .authority(let authority): authority.recipe.key
            case .signer: leaf?.key
            case .junk, nil: nil
            }
        let serial = anchors.first.flatMap { try? CertificateDetails(certificate: $0).serial }.flatMap {
            Hex.decode($0)
        }
        return TrustedSigner(
            name: trusted.name, certificates: anchors,
            commonName: try trusted.commonName.map { try TrustedSigner.CommonNameRule($0) },
            authorityKeyIdentifier: try Self.identifier(
                trusted.authorityKey, pki, (leaf?.issuer?.recipe.key ?? leaf?.key)),
            subjectKeyIdentifier: try Self.identifier(trusted.subjectKey, pki, anchorKey),
            rootSerial: trusted.serialIsRight.map {
                TrustedSigner.SerialNumber($0 ? serial ?? [] : (serial ?? []) + [1])
            })
    }

    private static func identifier(_ given: Identifier?, _ pki: LabPKI, _ key: LabKeyID?) throws -> TrustedSigner
        .KeyIdentifier?
    {
        guard let given, let key else { return nil }
        let right = try pki.key(key).identifier
        return switch given {
        case .right: TrustedSigner.KeyIdentifier(right)
        case .headed: TrustedSigner.KeyIdentifier([0x04, 0x14] + right)
        case .wrong: TrustedSigner.KeyIdentifier(try pki.key(.backup).identifier)
        case .truncated: TrustedSigner.KeyIdentifier(right.dropLast())
        }
    }

    private func failure(_ reading: SignatureReading, of validator: String) -> String? {
        let expected = expectedCause(of: validator)
        let promise =
            if let deviation = deviations[validator] {
                "\(id) has \(validator) differ: \(deviation.reason)"
            } else {
                "\(id) promises \(expected?.rawValue ?? "a valid signature"): \(sentence) [\(source)]"
            }
        let seen = reading.problems.map { "\($0.cause.rawValue), \($0.message)" }.joined(separator: "; ")
        guard reading.isValid == (expected == nil), reading.cause == expected else {
            return "\(promise) Seen: \(seen.isEmpty ? "valid" : seen)"
        }
        if expected == nil, reading.signer != signer {
            return "\(promise) It is to be \(signer)'s. Seen: \(reading.signer ?? "nobody's")"
        }
        return nil
    }

}
