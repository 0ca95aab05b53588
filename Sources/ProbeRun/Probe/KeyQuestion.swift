import ProbeKit

extension Transport {
    /// Lets the stack read a key for a probe, whose keys have one deadline: a program that hangs is not waited for at each
    /// certificate of a chain anew.
    ///
    /// - Parameters:
    ///   - certificate: DER of one certificate.
    ///   - deadline: the end of the wait for a program; a stack in this process does not wait.
    func readKey(of certificate: [UInt8], by deadline: Deadline) async -> KeyReading {
        await Deadline.$ofProbe.withValue(deadline) { await readKey(ofCertificate: certificate) }
    }
}
