import ArgumentParser
import ProbeKit
import ProbeNet
import ProbeRun

/// The protocol that starts TLS, and the client's certificate.
struct StartOptions: ParsableArguments {
    @Option(
        name: .customLong("starttls"),
        help: ArgumentHelp(
            "Start TLS with this protocol on targets without a scheme; their port is then the service's usual one.",
            discussion: "The target smtp://mail.example.com says the same as --starttls smtp mail.example.com.",
            valueName: "protocol"))
    var startTLS: Given<StartTLS>?

    @Option(
        help: ArgumentHelp(
            "Show this client certificate to a server that asks: PEM with its issuers after it, PKCS #12 with its key, or a pkcs11: URI.",
            valueName: "file"), completion: .file())
    var clientCert: String?

    @Option(
        help: ArgumentHelp(
            "The private key of --client-cert: PEM in a file of mode 600, or the pkcs11: URI of a key in a token.",
            valueName: "file"), completion: .file())
    var clientKey: String?

    @Option(
        help: ArgumentHelp(
            "The passphrase of that key or of PKCS #12, or the token's PIN, in a file of mode 600; a terminal is asked for it when not given.",
            valueName: "file"), completion: .file())
    var clientPassphrase: String?

    /// Those of these options that were given.
    var given: [String] {
        [
            ("--starttls", startTLS != nil), ("--client-cert", clientCert != nil), ("--client-key", clientKey != nil),
            ("--client-passphrase", clientPassphrase != nil),
        ].filter(\.1).map(\.0)
    }

    /// Returns the identity to show; nil if none was given.
    func identity() throws(InputError) -> ClientIdentity? {
        guard let clientCert else {
            guard let idle = given.first(where: { $0.hasPrefix("--client-") }) else { return nil }
            throw InputError("\(idle) is of no use without --client-cert", remedy: "leave it out, or give that too")
        }
        return try ClientIdentities.read(
            IdentityFiles(certificate: clientCert, key: clientKey, passphrase: clientPassphrase, origin: .operatorsOwn))
    }
}

/// The way to a server's TLS: the protocol that starts it, the client's part of it, the proxy and the addresses.
struct ReachOptions: ParsableArguments {
    @OptionGroup var start: StartOptions
    @OptionGroup var proxy: ProxyOptions
    @OptionGroup var addresses: AddressOptions

    var startTLS: Given<StartTLS>? { start.startTLS }
    var clientCert: String? { start.clientCert }
    var clientKey: String? { start.clientKey }
    var clientPassphrase: String? { start.clientPassphrase }

    /// Those of these options that were given.
    var given: [String] { start.given + proxy.given + addresses.given }

    /// Returns the identity to show; nil if none was given.
    func identity() throws(InputError) -> ClientIdentity? { try start.identity() }

    /// Reads a target.
    func target(_ text: String, _ connection: ConnectionOptions) throws(InputError) -> Target {
        let target = try Target(text, connect: connection.dial, startTLS: startTLS?.value)
        guard addresses.follow, ServiceQuestion(about: target) == nil else { return target }
        if case .ip(let address) = target.name {
            throw InputError(
                "--follow asks for the records of a name, and \(address) is an address", remedy: "leave --follow out")
        }
        throw InputError(
            "--follow has no records to ask for about \(target): \(target.startTLS?.rawValue ?? "it") has none",
            remedy: "leave --follow out")
    }

    /// Rejects a demand that a protocol without HTTP can't meet.
    static func refuse(_ serverDate: ServerDateMode, of startTLS: StartTLS?) throws(InputError) {
        guard let startTLS, serverDate == .always else { return }
        throw InputError(
            "--server-date always asks by HTTP, which \(startTLS.rawValue) is not", remedy: "leave --server-date out")
    }
}

extension ReachOptions {
    /// Joins parts that a command has by themselves.
    init(_ start: StartOptions, _ proxy: ProxyOptions, _ addresses: AddressOptions) {
        self.init()
        self.start = start
        self.proxy = proxy
        self.addresses = addresses
    }
}
