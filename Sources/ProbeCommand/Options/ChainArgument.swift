import ProbeKit
import ProbePlatform
import ProbeTrust

/// A file of certificates as given by `--chain`, with or without its subject.
struct ChainArgument {
    /// A service's label, or a host; nil if only the file was given.
    let subject: String?
    let path: String

    /// Reads `[SUBJECT=]FILE`. The text before the first `=` is the subject if it could be a host; a path with a `=` is
    /// given as `./a=b.pem`. A URL may have a `=` itself and ends at the last one.
    ///
    /// - Parameter labels: the labels of services, which may have letters that no host has.
    init(_ text: String, labels: [String] = []) throws(InputError) {
        var found = labels.filter { text.hasPrefix($0 + "=") }.max { $0.count < $1.count }
        if found == nil { found = try Self.target(before: text) }
        subject = found
        guard let named = found else {
            path = text
            return
        }
        path = String(text.dropFirst(named.count + 1))
        guard !path.isEmpty else {
            throw InputError("--chain '\(text)' names no file", remedy: "write --chain \(named)=FILE")
        }
    }

    /// Returns the target that an argument begins with; nil if it is a path alone.
    ///
    /// - Throws: ``InputError`` for a URL that is not a target's.
    private static func target(before text: String) throws(InputError) -> String? {
        guard let first = text.firstIndex(of: "="), let last = text.lastIndex(of: "=") else { return nil }
        let host = String(text[..<first])
        guard host.contains("://") else { return (try? Target(host)) == nil ? nil : host }
        let url = String(text[..<last])
        if (try? Target(url)) != nil { return url }
        _ = try Target(host)
        return host
    }

    /// Returns the indices of those that the file is for: those of its subject, else those whose host its leaf names.
    func takers(among takers: [ChainTaker]) throws(InputError) -> [Int] {
        if let subject { return try ChainTaker.named(subject, among: takers) }
        guard let leaf = try leaf() else { return [] }
        return takers.indices.filter { leaf.names(takers[$0].target.name) }
    }

    /// Returns how plainly the file is for a taker: a label is plainer than a host, and a host than no subject.
    func rank(for taker: ChainTaker) -> Int {
        guard let subject else { return 0 }
        return subject == taker.label ? 2 : 1
    }

    /// Returns the error of a second file that is as plainly for a taker.
    func double(for taker: ChainTaker) -> InputError {
        InputError(
            "two --chain are for \(taker.target)",
            remedy: "give one for each \(taker.label == nil ? "host" : "service")")
    }

    /// Returns the subject, else the only host that the leaf names, as a target is written.
    func host() throws(InputError) -> String {
        if let subject { return subject }
        let hosts = try hostsOfLeaf()
        guard hosts.count == 1 else { throw try unclear() }
        return Self.text(hosts[0])
    }

    /// Returns a host as a target is written.
    static func text(_ host: ServerName) -> String {
        if case .ip = host, host.description.contains(":") { return "[\(host)]" }
        return host.description
    }

    /// The certificates of pipes, which can be read once: a file is asked for its leaf's names first, for its chain later.
    private static let pipes = BoundedMemory<String, [[UInt8]]>(limit: 64)

    /// Returns the certificates, the leaf first.
    func certificates() throws(InputError) -> [[UInt8]] {
        do throws(InputError) {
            if path != "-", FileStatus(at: path)?.isFile ?? true { return try CertificateFile.read(path) }
            return try Self.pipes.value(for: path) { () throws(InputError) in try CertificateFile.read(path) }
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
