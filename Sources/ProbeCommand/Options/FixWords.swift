import ProbeKit
import ProbeRun

/// The steps of fixes as options of the command.
enum FixWords {
    /// Returns the words for the steps of a command line.
    static func words(for arguments: [String]) -> Fix.Step.Words {
        let given = GivenOptions(arguments)
        // Its targets, and all that is given for them, are in files of its own.
        if given.command == "serve" { return Fix.Step.Words { _ in nil } }
        let pins = GivenPins(arguments)
        return Fix.Step.Words { step in
            switch given.words(step) {
            case .own(let text): text
            case .usual: given.hasProfile ? besideProfile(step) : pins.words(step) ?? words(step)
            }
        }
    }

    /// Returns the words beside a profile, which says itself what would be an option without one.
    @Sendable static func besideProfile(_ step: Fix.Step) -> String? {
        switch step {
        case .pin(let pin, let position), .movePin(let pin, from: _, to: let position, instead: _):
            "pin \(pin.kind.rawValue)@\(position):sha256:\(pin.digest.base64) in the profile"
        case .askServerTime: "write 'serverDate: \(ServerDateMode.whenItDecides.rawValue)' in the profile"
        case .searchValidatedPath: "look for it there: 'chain: validated' in the profile"
        case .offerProtocol: "offer a protocol that the server speaks with 'alpn' in the profile"
        case .speakStartTLS(let known):
            "start TLS with the service's url as \(Words.alternatives(known.map { $0.rawValue + "://" }))"
        case .speakTLSAtOnce: "write the service's url with https://"
        default: words(step)
        }
    }

    /// Returns the words for a step that takes an option; nil where the plain words do.
    @Sendable static func words(_ step: Fix.Step) -> String? {
        switch step {
        case .pin(let pin, let position), .movePin(let pin, from: _, to: let position, instead: _):
            "give --pin \(pin.kind.rawValue)@\(position):sha256:\(pin.digest.base64)"
        case .searchValidatedPath: "look for it there: --pin-chain validated, or 'chain: validated' in the profile"
        case .checkBeforeDeployment: "check the new one before it is deployed with 'probe check --chain FILE'"
        case .giveAnchor: "give the CA with --ca FILE"
        case .giveCopyAsAnchor: "give your own copy of this one with --ca FILE"
        case .giveChain: "give its certificates with --chain"
        case .judgeAtSigning: "judge at the instant of signing with --at"
        case .judgeNow: "leave --at out, or judge a file of the chain with 'probe check --chain FILE'"
        case .keepInFile: "name a file with --cache FILE"
        case .dialAddress: "say where to dial with --connect ADDR:PORT"
        case .askWithoutRecords: "leave --follow out, or --dane"
        case .dialAnyFamily: "leave --family out"
        case .allowTime: "allow more with --timeout"
        case .probeFewerAtOnce: "fewer targets at once with --concurrency"
        case .offerProtocol: "offer a protocol that the server speaks with --alpn"
        case .speakStartTLS(let known): "start TLS with --starttls \(Fix.Step.alternatives(known))"
        case .giveClientIdentity: "give one with --client-cert FILE and --client-key FILE"
        case .checkProxy: "check the URL of --proxy"
        case .giveProxyCredentials: "give the proxy's USER:PASSWORD or token with --proxy-credentials FILE"
        case .trustProxy: "give its CA with --proxy-ca FILE"
        case .speakTLSAtOnce: "leave --starttls out"
        case .chooseBackend: "choose another --backend: 'probe backends' lists what each can do"
        case .compareBackends: "compare with another --backend"
        case .chooseResolver: "choose another --resolver: 'probe backends' lists what each can do"
        case .askResolver: "ask through another --resolver"
        case .askServer: "another server with --dns-server"
        case .trustServer: "give its CA with --dns-ca FILE"
        case .convertToProfile: "make it a profile with 'probe profile convert --from FORMAT --to native-yaml'"
        case .chooseKeyKind: "choose --kind spki or rawkey"
        case .readAsKind(let kind): "read it back with --kind \(kind.rawValue)"
        case .choosePosition: "choose with --position"
        case .readAtPosition(let position): "read them back with --position \(position)"
        case .chooseHost: "choose one with --host"
        case .nameHost(let host): "name it with --host \(host)"
        case .nameHosts: "write them with --host NAME"
        case .readForHost(let host): "read it back with --host \(host)"
        case .chooseStoreByPath: "choose one with --only and a part of its path"
        default: nil
        }
    }
}
