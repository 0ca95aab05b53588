import ArgumentParser
import ProbeKit
import ProbePins
import ProbeProfiles
import ProbeRun
import ProbeTrust

/// The requirements for the target.
struct PolicyOptions: ParsableArguments {
    @OptionGroup var demanded: DemandOptions
    @OptionGroup var stack: StackOptions

    var pin: [Given<PinArgument>] { demanded.pin }
    var pinChain: Given<PinChain>? { demanded.pinChain }
    var expectCertificate: [String] { demanded.expectCertificate }
    var policy: [String] { demanded.policy }
    var expiresWithin: Given<Duration>? { demanded.expiresWithin }
    var emulate: Given<Emulation>? { stack.emulate }
    var trust: Given<TrustMode>? { stack.trust }
    var minTLS: Given<TLSVersion>? { stack.minTLS }
    var alpn: [Given<ProtocolName>] { stack.alpn }
    var serverDate: Given<ServerDateMode>? { stack.serverDate }

    /// Those of these options that were given.
    var given: [String] {
        [
            ("--pin", !pin.isEmpty), ("--pin-chain", pinChain != nil),
            ("--expect-certificate", !expectCertificate.isEmpty), ("--policy", !policy.isEmpty),
            ("--emulate", emulate != nil), ("--trust", trust != nil), ("--min-tls", minTLS != nil),
            ("--alpn", !alpn.isEmpty), ("--server-date", serverDate != nil),
        ].filter(\.1).map(\.0)
    }

    /// The values of options that were given, or what holds without them.
    var chain: PinChain { pinChain?.value ?? .validated }
    var trustMode: TrustMode { trust?.value ?? .both }
    var serverDateMode: ServerDateMode { serverDate?.value ?? .whenItDecides }
    var minimumTLS: TLSVersion { minTLS?.value ?? .tls12 }
    var protocols: [String] { alpn.map(\.value.name) }
    var pins: [PinGroup] { PinText.groups(pin.flatMap(\.value.pins), in: chain) }

    func certificates() throws(InputError) -> [CertificateExpectation] {
        var expectations: [CertificateExpectation] = []
        for text in expectCertificate {
            do throws(InputError) {
                let expectation = try CertificateExpectation(text, chain: chain)
                if !expectations.contains(expectation) { expectations.append(expectation) }
            } catch {
                throw InputError("--expect-certificate \(error.message)", remedy: error.remedy, source: error.source)
            }
        }
        return expectations
    }

    /// Returns the named policies, and the emulated client's reading of the target's name.
    func demands(_ target: Target) throws(InputError) -> [any Policy] {
        try policies() + (emulate == nil ? [] : [EmulatedName(target.name)])
    }

    /// Returns the named policies.
    func policies() throws(InputError) -> [any Policy] {
        do throws(InputError) {
            return try NamedPolicies.named(policy, among: Backends.current.policies)
        } catch {
            throw InputError("--policy \(error.message)", remedy: error.remedy)
        }
    }
}

extension PolicyOptions {
    /// Joins parts that a command has by themselves.
    init(_ demanded: DemandOptions, _ stack: StackOptions) {
        self.init()
        self.demanded = demanded
        self.stack = stack
    }
}
