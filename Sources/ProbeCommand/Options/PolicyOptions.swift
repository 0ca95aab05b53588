import ArgumentParser
import ProbeKit

/// What the target has to satisfy.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A pin that has to match; repeat it for alternatives.",
            discussion: """
                KIND[@POSITION]:sha256:HEX-OR-BASE64 with KIND cert, spki or rawkey and POSITION leaf, ca, any or first-N; \
                sha256/BASE64 (OkHttp), sha256//BASE64 (curl), pin-sha256="BASE64" (HPKP), AA:BB:… (openssl -fingerprint). \
                Pins of one kind and position are alternatives; different kinds must all match.
                """, valueName: "pin"))
    var pin: [String] = []

    @Option(help: ArgumentHelp("Whose trust decision counts: both, native or reference.", valueName: "mode"))
    var trust: String = TrustMode.both.rawValue

    @Option(
        name: .customLong("min-tls"),
        help: ArgumentHelp("The oldest TLS version to accept: 1.0 to 1.3.", valueName: "version"))
    var minTLS: String = TLSVersion.tls12.number

    @Option(help: ArgumentHelp("Offer this application protocol, like h2; repeat it.", valueName: "protocol"))
    var alpn: [String] = []

    @Option(
        help: ArgumentHelp(
            "When to ask the server for its time, by an HTTP HEAD after everything else: when-it-decides, always, never.",
            valueName: "mode"))
    var serverDate: String = ServerDateMode.whenItDecides.rawValue

    func pins() throws(InputError) -> [PinGroup] {
        var texts: [PinText] = []
        for text in pin {
            do throws(InputError) {
                texts += try PinText.parse(text)
            } catch {
                throw InputError("--pin \(error.message)", remedy: error.remedy)
            }
        }
        return PinText.groups(texts)
    }

    func trustMode() throws(InputError) -> TrustMode {
        guard let mode = TrustMode(rawValue: trust) else {
            throw InputError("--trust '\(trust)' is unknown", remedy: "choose both, native or reference")
        }
        return mode
    }

    func serverDateMode() throws(InputError) -> ServerDateMode {
        guard let mode = ServerDateMode(rawValue: serverDate) else {
            throw InputError(
                "--server-date '\(serverDate)' is unknown", remedy: "choose when-it-decides, always or never")
        }
        return mode
    }

    func minimumTLS() throws(InputError) -> TLSVersion {
        guard let version = TLSVersion(number: minTLS) else {
            throw InputError("--min-tls '\(minTLS)' is no version of TLS", remedy: "choose 1.0, 1.1, 1.2 or 1.3")
        }
        return version
    }

    func protocols() throws(InputError) -> [String] {
        for name in alpn where !(1...255).contains(name.utf8.count) {
            throw InputError(
                "--alpn '\(name.prefix(40))' has no usable length", remedy: "a protocol has 1 to 255 bytes")
        }
        return alpn
    }
}
