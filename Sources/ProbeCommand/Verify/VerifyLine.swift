import ProbeKit

/// One transport's answer to one question of a batch, or why there is none.
struct VerifyLine: Encodable {
    struct Native: Encodable {
        let accepted: Bool
        @Always var cause: TrustCause?
        @Always var nativeCode: String?
    }

    struct Reference: Encodable {
        let accepted: Bool
        @Always var cause: TrustCause?
    }

    let schema = "probe-verify/1"
    @Always var id: String?
    @Always var transport: String?
    @Always var native: Native?
    @Always var reference: Reference?
    @Always var outcome: Outcome?
    @Always var error: String?

    /// The line of an answer.
    init(id: String, transport: String, native: TrustReading, reference: TrustReading) {
        self.id = id
        self.transport = transport
        self.native = Native(
            accepted: native.isAccepted, cause: native.cause, nativeCode: native.problems.first?.nativeCode)
        self.reference = Reference(accepted: reference.isAccepted, cause: reference.cause)
        outcome =
            native.isAccepted == reference.isAccepted ? (native.isAccepted ? .pass : .trustFailed) : .stacksDisagree
        error = nil
    }

    /// The line of a question that could not be read.
    init(malformed error: String, id: String?) {
        self.id = id
        transport = nil
        native = nil
        reference = nil
        outcome = nil
        self.error = error
    }
}
