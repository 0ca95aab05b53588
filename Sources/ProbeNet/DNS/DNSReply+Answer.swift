import ProbeDNS
package import ProbeKit

extension DNSReply {
    /// Returns the message of a server's answer about a name.
    ///
    /// - Throws: ``DNSFailure`` with the code `gaveUp` if it is malformed, to another operation, or not the zone's by the
    ///   server's own report, or its response code is neither NOERROR nor NXDOMAIN.
    package func answer(about name: DNSName, from server: Endpoint) throws(DNSFailure) -> DNSMessage {
        do throws(ReplyFault) {
            let message = try self.message.get()
            try message.header.checkOperation()
            guard message.responseCode.isAnswer else {
                throw ReplyFault(.responseCode, message.responseCode.mnemonic)
            }
            try message.checkOrigin()
            return message
        } catch {
            throw DNSFailure(.gaveUp, "\(server) gives no usable answer about \(name): \(error.message)")
        }
    }

    /// True if the reply is malformed and its header reports no error, or if it is to another operation, whose code means
    /// nothing here: it may be whole the next time (decided: dns-answers).
    var isDamaged: Bool {
        guard let header else { return false }
        guard header.opcode == 0 else { return true }
        guard case .failure = message else { return false }
        return header.responseCode.isAnswer
    }
}
