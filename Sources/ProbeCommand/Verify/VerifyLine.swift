import ProbeKit

/// One transport's answer to one question of a batch, or the reason why there is none.
struct VerifyLine: Encodable {
    struct Native: Encodable {
        let accepted: Bool
        @Always var cause: TrustCause?
        @Always var nativeCode: String?
    }

    struct Reference: Encodable {
        let accepted: Bool
        @Always var cause: TrustCause?
        let remarks: [Remark]
    }

    /// Something worth knowing about an accepted chain.
    struct Remark: Encodable {
        let severity: TrustReading.Remark.Severity
        let code: String
        let message: String
    }

    let schema = "probe-verify/1"
    @Always var id: String?
    @Always var transport: String?
    @Always var native: Native?
    @Always var reference: Reference?
    @Always var outcome: Outcome?
    @Always var error: String?

    /// Creates the line of an answer, or of a transport that gave none.
    init(id: String, transport: String, native: TrustReading, reference: TrustReading) {
        let agrees = native.isAccepted == reference.isAccepted
        let warns = reference.remarks.contains { $0.severity == .warning }
        let accepted: Outcome = warns ? .passWithWarnings : .pass
        let decided: Outcome = agrees ? (native.isAccepted ? accepted : .trustFailed) : .stacksDisagree
        self.init(
            id: id, transport: transport, native: native.isAnswered ? Native(native) : nil,
            reference: Reference(reference), outcome: native.isAnswered ? decided : .internalError,
            error: native.isAnswered ? nil : Self.fault(native.problems))
    }

    /// The code, if there is one, and the sentence.
    private static func fault(_ problems: [TrustReading.Problem]) -> String? {
        problems.first.map { [$0.nativeCode, $0.message].compactMap(\.self).joined(separator: ": ") }
    }

    /// Creates the line of a transport that does not support the question's options.
    init(id: String, transport: BackendIdentity, missing: Set<TransportCapability>, reference: TrustReading) {
        let names = missing.sorted().map(\.rawValue).joined(separator: ", ")
        self.init(
            id: id, transport: transport.name, reference: Reference(reference), outcome: .unsupported,
            error: "\(transport.name) lacks \(names)")
    }

    /// Creates the line of a question that could not be read.
    init(malformed error: String, id: String?) {
        self.init(id: id, error: error)
    }

    private init(
        id: String?, transport: String? = nil, native: Native? = nil, reference: Reference? = nil,
        outcome: Outcome? = nil, error: String?
    ) {
        self.id = id
        self.transport = transport
        self.native = native
        self.reference = reference
        self.outcome = outcome
        self.error = error
    }
}

extension VerifyLine.Native {
    init(_ reading: TrustReading) {
        self.init(
            accepted: reading.isAccepted, cause: reading.cause, nativeCode: reading.problems.first?.nativeCode)
    }
}

extension VerifyLine.Reference {
    init(_ reading: TrustReading) {
        self.init(
            accepted: reading.isAccepted, cause: reading.cause,
            remarks: reading.remarks.map {
                VerifyLine.Remark(severity: $0.severity, code: $0.code, message: $0.message)
            })
    }
}
