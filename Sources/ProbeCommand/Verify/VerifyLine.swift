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

    /// Creates the line of an answer.
    init(id: String, transport: String, native: TrustReading, reference: TrustReading) {
        self.id = id
        self.transport = transport
        self.native = Native(
            accepted: native.isAccepted, cause: native.cause, nativeCode: native.problems.first?.nativeCode)
        self.reference = Reference(reference)
        outcome =
            native.isAccepted == reference.isAccepted ? (native.isAccepted ? .pass : .trustFailed) : .stacksDisagree
        error = nil
    }

    /// Creates the line of a transport that does not support the question's options.
    init(id: String, transport: BackendIdentity, missing: Set<TransportCapability>, reference: TrustReading) {
        self.id = id
        self.transport = transport.name
        native = nil
        self.reference = Reference(reference)
        outcome = .unsupported
        error = "\(transport.name) lacks \(missing.sorted().map(\.rawValue).joined(separator: ", "))"
    }

    /// Creates the line of a question that could not be read.
    init(malformed error: String, id: String?) {
        self.id = id
        transport = nil
        native = nil
        reference = nil
        outcome = nil
        self.error = error
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
