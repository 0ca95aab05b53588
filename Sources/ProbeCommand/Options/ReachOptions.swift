import ArgumentParser
import ProbeKit
import ProbeRun

/// The way to a server's TLS: the protocol that starts it.
struct ReachOptions: ParsableArguments {
    @Option(
        name: .customLong("starttls"),
        help: ArgumentHelp(
            "Start TLS with this protocol on targets without a scheme; their port is then the service's usual one.",
            discussion: "The target smtp://mail.example.com says the same as --starttls smtp mail.example.com.",
            valueName: "protocol"))
    var startTLS: Given<StartTLS>?

    /// Those of these options that were given.
    var given: [String] { startTLS == nil ? [] : ["--starttls"] }

    /// Reads a target.
    func target(_ text: String, _ connection: ConnectionOptions) throws(InputError) -> Target {
        try Target(text, connect: connection.connect?.value, startTLS: startTLS?.value)
    }

    /// Rejects a demand that a protocol without HTTP can't meet.
    static func refuse(_ serverDate: ServerDateMode, of startTLS: StartTLS?) throws(InputError) {
        guard let startTLS, serverDate == .always else { return }
        throw InputError(
            "--server-date always asks by HTTP, which \(startTLS.rawValue) is not", remedy: "leave --server-date out")
    }
}
