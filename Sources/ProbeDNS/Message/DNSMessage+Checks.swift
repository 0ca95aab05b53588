package import ProbeKit

/// The checks of a reply that are the same whatever records it is about.
extension DNSHeader {
    /// Checks that the operation is a standard query.
    package func checkOperation() throws(ReplyFault) {
        guard opcode == 0 else { throw ReplyFault(.wrongOpcode, "the reply has opcode \(opcode)") }
    }
}

extension DNSMessage {
    /// Checks that the server does not report an answer that is not the zone's: forged, blocked, censored or filtered.
    package func checkOrigin() throws(ReplyFault) {
        guard let error = options?.extendedErrors.first(where: \.isFiltered) else { return }
        throw ReplyFault(.filtered, "the server reports that the answer is not the zone's: \(error)")
    }
}
