import Foundation
import ProbeKit
import ProbeLab

/// `openssl s_server` on a free port of 127.0.0.1.
struct OpenSSLServer: Sendable {
    /// A certificate with its key, and the certificates that are sent after it, all as PEM.
    struct Presented: Sendable {
        /// The server takes the first certificate of the text.
        let certificate: String
        let key: String
        /// The server takes all certificates of the text.
        var others: String?

        /// The leaf and its issuers.
        static func chain(of identity: LabIdentity) -> Presented {
            let others = identity.chain.count > 1 ? identity.issuersPEM : nil
            return Presented(certificate: identity.chainPEM, key: identity.keyPEM, others: others)
        }

        /// The leaf without its issuers.
        static func leaf(of identity: LabIdentity) -> Presented {
            Presented(certificate: identity.chainPEM, key: identity.keyPEM)
        }

        /// The leaf, and the whole chain once more: clients have to bear the repeated leaf.
        static func repeatedLeaf(of identity: LabIdentity) -> Presented {
            Presented(certificate: identity.chainPEM, key: identity.keyPEM, others: identity.chainPEM)
        }
    }

    /// A request for clients' certificates, with the depth to which their chains are verified.
    enum ClientRequest: Sendable {
        case optional(depth: Int)
        case required(depth: Int)

        fileprivate var arguments: [String] {
            switch self {
            case .optional(let depth): ["-verify", "\(depth)"]
            case .required(let depth): ["-Verify", "\(depth)"]
            }
        }
    }

    let presented: Presented
    /// The only version, if it is limited to one.
    var version: TLSVersion?
    var clients: ClientRequest?
    /// The CAs of clients as PEM, whose names a request for a certificate has.
    var authorities: String?
    /// The OCSP response to send.
    var staple: [UInt8]?
    /// Further arguments, in the program's own words.
    var further: [String] = []

    /// Runs `body` with the address of a server that answers each request with a page about its connection.
    ///
    /// - Throws: ``PartnerProcess/StartError``; any error of `body`.
    func run<Result: Sendable>(_ body: @Sendable (Endpoint) async throws -> Result) async throws -> Result {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let process = PartnerProcess(program: "openssl", arguments: try arguments(at: port, in: folder), port: port)
        return try await Self.run(process, in: folder, body)
    }

    /// Runs `body` with the address of a server that reads commands, and data for the client, while it runs.
    ///
    /// It names the cipher when a handshake is complete, and prints the data that it is sent.
    ///
    /// - Parameters:
    ///   - answers: words in a line of the server's output, and the shell command whose output the server then reads.
    ///     The first words that match count.
    ///   - readingErrors: true if the words may be in its error output too.
    ///   - body: gets the server's address.
    /// - Throws: ``PartnerProcess/StartError``; any error of `body`.
    func run<Result: Sendable>(
        answering answers: KeyValuePairs<String, String>, readingErrors: Bool = false,
        _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let cases = answers.map { words, command in
            """
            *"\(words)"*) { \(command)
            } > "$commands" ;;
            """
        }
        // The server opens the FIFO for writing too, so that its input does not end with a command.
        let script = """
            commands='\(folder.path)/commands'; mkfifo "$commands"
            openssl "$@" <> "$commands"\(readingErrors ? " 2>&1" : "") | while read -r line; do case $line in
            \(cases.joined(separator: "\n"))
            esac; done
            """
        let arguments = try arguments(at: port, in: folder, mode: [])
        let process = PartnerProcess(program: "sh", arguments: ["-c", script, "sh"] + arguments, port: port)
        return try await Self.run(process, in: folder, body)
    }

    /// Returns the program's arguments, and writes the files that they name.
    func arguments(at port: UInt16, in folder: PartnerFolder, mode: [String] = ["-www"]) throws -> [String] {
        var arguments = ["s_server", "-accept", "127.0.0.1:\(port)"] + mode
        if let clients { arguments += clients.arguments }
        arguments += further
        if let staple { arguments += ["-status_file", try folder.write(staple, to: "staple.der")] }
        arguments += ["-cert", try folder.write(presented.certificate, to: "chain.pem")]
        arguments += ["-key", try folder.write(presented.key, to: "key.pem")]
        if let others = presented.others { arguments += ["-cert_chain", try folder.write(others, to: "issuers.pem")] }
        if let authorities { arguments += ["-CAfile", try folder.write(authorities, to: "authorities.pem")] }
        if let version {
            let name = version == .tls10 ? "1" : version.number.replacing(".", with: "_")
            arguments.append("-tls\(name)")
        }
        return arguments
    }

    private static func run<Result: Sendable>(
        _ process: PartnerProcess, in folder: PartnerFolder, _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let value = try await process.run {
            try await body(Endpoint(host: .ip(.loopback4), port: process.port))
        }
        try await folder.waitUntilLeft()
        return value
    }
}
