import ProbeKit
import ProbeTrust

/// A file of certificates as given by `--chain`, with or without its subject.
struct ChainArgument {
    /// A service's label, or a host; nil if only the file was given.
    let subject: String?
    let path: String

    /// Reads `[SUBJECT=]FILE`. The text before the first `=` is the subject if it could be a host; a path with a `=` is
    /// given as `./a=b.pem`.
    ///
    /// - Parameter labels: the labels of services, which may have letters that no host has.
    init(_ text: String, labels: [String] = []) throws(InputError) {
        let label = labels.filter { text.hasPrefix($0 + "=") }.max { $0.count < $1.count }
        let prefix = label ?? String(text.prefix { $0 != "=" })
        guard prefix.count < text.count, label != nil || (try? Endpoint(prefix, defaultPort: 443)) != nil else {
            (subject, path) = (nil, text)
            return
        }
        (subject, path) = (prefix, String(text.dropFirst(prefix.count + 1)))
        guard !path.isEmpty else {
            throw InputError("--chain '\(text)' names no file", remedy: "write --chain \(prefix)=FILE")
        }
    }

    /// Returns the certificates, the leaf first.
    func certificates() throws(InputError) -> [[UInt8]] {
        do throws(InputError) {
            return try CertificateFile.read(path)
        } catch {
            throw InputError("--chain \(error.message)", remedy: error.remedy, source: error.source)
        }
    }

    /// Returns the hosts that the leaf names, wildcards left out; none if it can't be read.
    func hostsOfLeaf() throws(InputError) -> [ServerName] {
        guard let details = try leaf() else { return [] }
        return (details.dnsNames.filter { !$0.contains("*") } + details.ipAddresses).compactMap { try? ServerName($0) }
    }

    /// Returns the leaf's fields; nil if it can't be read.
    func leaf() throws(InputError) -> CertificateDetails? {
        try certificates().first.flatMap { try? CertificateDetails(certificate: $0) }
    }

    /// Returns the error for a file whose subject is unclear.
    func unclear() throws(InputError) -> InputError {
        let details = try certificates().map { try? CertificateDetails(certificate: $0) }
        if details.first??.isCA == true, details.contains(where: { $0?.isCA == false }) {
            return InputError(
                "--chain \(path) does not say whom it is for, and begins with a CA's certificate",
                remedy: "put the server's own certificate first", source: .file)
        }
        let names = (details.first ?? nil).map { $0.dnsNames + $0.ipAddresses } ?? []
        let shown = names.isEmpty ? "nobody" : names.prefix(4).joined(separator: ", ")
        return InputError(
            "--chain \(path) does not say whom it is for, and its leaf names \(shown)",
            remedy: "write --chain HOST=\(path)")
    }
}
