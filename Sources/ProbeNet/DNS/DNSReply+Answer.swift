import ProbeDNS
package import ProbeKit

extension DNSReply {
    /// Returns the message of a server's answer about a name.
    ///
    /// - Throws: ``DNSFailure`` with the code `gaveUp` if it is malformed, or its response code is neither NOERROR nor NXDOMAIN.
    package func answer(about name: DNSName, from server: Endpoint) throws(DNSFailure) -> DNSMessage {
        do throws(ReplyFault) {
            let message = try self.message.get()
            guard message.responseCode.isAnswer else {
                throw ReplyFault(.responseCode, message.responseCode.mnemonic)
            }
            return message
        } catch {
            throw DNSFailure(.gaveUp, "\(server) gives no usable answer about \(name): \(error.message)")
        }
    }

    /// True if the reply is malformed and its header reports no error: it may be whole the next time (decided: dns-answers).
    var isDamaged: Bool {
        guard case .failure = message, let header else { return false }
        return header.responseCode.isAnswer
    }
}
