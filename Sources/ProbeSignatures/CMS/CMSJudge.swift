public import ProbeKit
import ProbeTrust
import X509

/// The rules for a signature beyond a stack's verification, in one place for all stacks.
struct CMSJudge {
    let question: SignatureQuestion
    let message: CMSMessage

    /// Returns the result, including the stack's.
    func judge(with stack: some CMSStack) async throws(SignatureProblem) -> SignatureReading {
        let signers = question.signers.map { ReadSigner($0) }
        guard !signers.isEmpty else { throw SignatureProblem(.noTrustedSigner, "nobody is trusted to sign") }
        guard signers.contains(where: { !$0.anchors.isEmpty }) else {
            throw SignatureProblem(.noTrustedSigner, "no certificate of a trusted signer can be read")
        }
        try checkContent()
        let certificate = try SigningCertificate(in: message)
        switch await stack.verify(message.der, over: question.content) {
        case .refused(let problem): throw problem
        case .verified(let native) where native != certificate.parsed.der:
            throw SignatureProblem(
                .readingsDisagree, "\(stack.name) finds another signing certificate in the message than we do")
        case .verified: break
        }
        var problems: [SignatureProblem] = []
        // One whose constraints are not met does not keep the next one from being tried (decided: upstream-traps).
        for signer in signers {
            let found = await self.problems(with: signer, certificate, stack)
            guard !found.isEmpty else { return .valid(signer: signer.signer.name, certificate: certificate.parsed.der) }
            problems += found
        }
        return .refused(problems)
    }

    /// Checks the signed content by our own parse; the stack's is the second.
    private func checkContent() throws(SignatureProblem) {
        if let attached = message.attachedContent, !attached.elementsEqual(question.content) {
            throw SignatureProblem(
                .contentMismatch, "the message has content of its own, and it is not the content given")
        }
        if let digest = message.signer.messageDigest {
            guard digest.elementsEqual(message.signer.digest(question.content)) else {
                throw SignatureProblem(.contentMismatch, "the digest of the content is not the one that was signed")
            }
        } else if CMSSignerInfo.looksLikeAttributes(question.content) {
            throw SignatureProblem(.ambiguousContent, "the content reads as the signed attributes of another signature")
        }
        // GnuTLS does not distinguish empty content from missing content.
        guard !question.content.isEmpty else { throw SignatureProblem(.unsupported, "the content is empty") }
    }

    private func problems(
        with signer: ReadSigner, _ certificate: SigningCertificate, _ stack: some CMSStack
    ) async -> [SignatureProblem] {
        guard !signer.anchors.isEmpty else {
            return [
                SignatureProblem(.untrustedSigner, "none of the signer's certificates can be read", signer: signer.name)
            ]
        }
        let (meeting, demands) = signer.anchorsMeetingConstraints
        // If no anchor meets them, a chain to one of the others still distinguishes the right signer from a wrong one.
        let anchors = meeting.isEmpty ? signer.anchors : meeting
        let chain = [certificate.parsed.der] + message.certificates.filter { $0 != certificate.parsed.der }
        let trust = TrustQuestion(
            chain: chain, anchors: TrustAnchors(name: signer.name, certificates: anchors.map(\.der)), name: nil,
            instant: question.instant, purpose: .any)
        let trustProblems = await problems(with: trust, signer, stack)
        // Other problems of an unrelated certificate explain nothing.
        let untrusted = trustProblems.filter { $0.cause == .untrustedSigner }
        guard untrusted.isEmpty else { return untrusted }
        let isAnchor = anchors.contains { $0.der == certificate.parsed.der }
        return trustProblems + [certificate.purposeProblem(isAnchor: isAnchor)].compactMap(\.self)
            + certificate.constraintProblems(signer.signer) + (meeting.isEmpty ? demands : [])
    }

    /// Returns the problems of the stack's decision and the reference verifier's, which have to agree (decided:
    /// read-twice).
    private func problems(
        with trust: TrustQuestion, _ signer: ReadSigner, _ stack: some CMSStack
    ) async -> [SignatureProblem] {
        let native = await stack.evaluateTrust(trust)
        guard native.isAnswered else {
            return native.problems.map {
                SignatureProblem(.other, $0.message, nativeCode: $0.nativeCode, signer: signer.name)
            }
        }
        let reference = await ReferenceVerifier().evaluate(trust)
        guard native.isAccepted == reference.isAccepted else {
            let (accepting, refusing, problem) =
                native.isAccepted
                ? (stack.name, "the reference verifier", reference.problems.first)
                : ("the reference verifier", stack.name, native.problems.first)
            return [
                SignatureProblem(
                    .stacksDisagree,
                    "\(accepting) trusts the signing certificate, \(refusing) does not: \(problem?.message ?? "")",
                    nativeCode: problem?.nativeCode, signer: signer.name)
            ]
        }
        return reference.problems.map { problem in
            let nativeCode = native.problems.first { $0.cause == problem.cause }?.nativeCode
            return SignatureProblem(
                TrustReading.Problem(problem.cause, problem.message, nativeCode: nativeCode), signer: signer.name)
        }
    }
}

/// A stack that reads and verifies CMS messages, made to report facts.
///
/// It parses the message, checks the signature, and decides on the signer's chain. The other rules — one signer, strong
/// digests, the trusted signers' constraints — are applied by `SignatureValidator.validate(_:)` in one place for all
/// stacks, on its own parse of the message.
public protocol CMSStack: SignatureValidator {
    /// Verifies the one signature of a message over content, whoever made it, without validating the certificate's
    /// chain.
    ///
    /// - Parameters:
    ///   - message: a CMS SignedData as DER, which has been read once already and found well-formed.
    ///   - content: the signed bytes; the message contains none that differ.
    func verify(_ message: [UInt8], over content: [UInt8]) async -> CMSVerification

    /// Returns the stack's own trust decision on a signer's chain.
    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading
}

/// A stack's result for a signature.
public enum CMSVerification: Hashable, Sendable {
    /// It is the signature of this certificate's key, as DER, over the content.
    case verified(certificate: [UInt8])
    /// It is not.
    case refused(SignatureProblem)
}

extension CMSStack {
    /// Judges a question with the stack's result; the rules are documented at `SignatureProblem.Cause`.
    public func validate(_ question: SignatureQuestion) async -> SignatureReading {
        do throws(SignatureProblem) {
            let message = try CMSMessage(signature: question.signature)
            return try await CMSJudge(question: question, message: message).judge(with: self)
        } catch {
            return .refused([error])
        }
    }
}

/// A trusted signer with their readable certificates.
struct ReadSigner {
    let signer: TrustedSigner
    let anchors: [ParsedCertificate]

    init(_ signer: TrustedSigner) {
        self.signer = signer
        anchors = signer.anchors.certificates.compactMap { try? ReadCertificate($0).anchor.get() }
    }

    var name: String { signer.name }

    /// The anchors that meet the signer's constraints, and the problems if none does.
    var anchorsMeetingConstraints: (anchors: [ParsedCertificate], problems: [SignatureProblem]) {
        let wrongs = anchors.map { constraintProblems($0) }
        return (zip(anchors, wrongs).filter { $0.1.isEmpty }.map(\.0), wrongs.flatMap(\.self))
    }

    private func constraintProblems(_ anchor: ParsedCertificate) -> [SignatureProblem] {
        var problems: [SignatureProblem] = []
        let subject = anchor.certificate.subject
        if let wanted = signer.subjectKeyIdentifier, anchor.extensions.subjectKey.map({ Array($0) }) != wanted.bytes {
            let found = anchor.extensions.subjectKey.map { Hex.encode($0) } ?? "missing"
            problems.append(
                SignatureProblem(
                    .signerConstraint,
                    "the subject key identifier of the anchor '\(subject)' is to be \(wanted), and is \(found)",
                    signer: name))
        }
        let serial = TrustedSigner.SerialNumber(anchor.serial)
        if let wanted = signer.rootSerial, serial != wanted {
            problems.append(
                SignatureProblem(
                    .signerConstraint,
                    "the serial number of the anchor '\(subject)' is to be \(wanted), and is \(serial)",
                    signer: name))
        }
        return problems
    }
}

extension SignatureReading {
    /// The answer as findings: the problems, or the signer.
    public var findings: [Finding] {
        guard let signer else { return problems.map(\.finding) }
        let subject = certificate.flatMap { try? CertificateDetails(certificate: $0).subject }
        return [
            .note(
                "signed-by", stage: .signature,
                "'\(signer)' signed it\(subject.map { ", with the certificate of '\($0)'" } ?? "")")
        ]
    }
}
