import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeProfiles
import ProbeSignatures

/// The setting of one step: the example's profile, and the servers that the step describes.
struct Example {
    /// The folder of the examples.
    static let folder = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Examples"

    let step: LifeStep
    let instant: Date
    private let profile: Profile
    private let path: String

    init(_ step: LifeStep) throws {
        self.step = step
        instant = try step.instant
        path = "\(Self.folder)/\(step.example)"
        profile = try ProfileFile.read("\(path)/\(step.profile ?? "profile.yaml")")
    }

    /// Returns the step's checks, against servers that are up as long as `body` runs.
    func run(_ body: (ProfileChecks) async throws -> Void) async throws {
        var servers: [String: LabServer] = [:]
        do {
            for (name, file) in step.servers { servers[name] = try await server(file) }
            let dial = servers.mapValues(\.endpoint)
            let dns = try await LabDNSServer.start(try zone())
            do {
                let settings = ProfileCompiler.Settings(
                    dial: { target in Self.server(of: target, in: profile, dial) }, timeout: .seconds(1800),
                    dnsServers: [dns.endpoint])
                try await body(try ProfileCompiler(profile, folder: path, settings: settings).checks())
            } catch {
                await dns.stop()
                throw error
            }
            await dns.stop()
        } catch {
            for server in servers.values { await server.stop() }
            throw error
        }
        for server in servers.values { await server.stop() }
    }

    /// Returns the question about the step's content, whose signers are the profile's.
    func question(about content: LifeStep.Content) throws -> SignatureQuestion {
        func bytes(_ name: String) throws -> [UInt8] {
            try InputFile.bytes(of: "\(path)/signed/\(name)", limit: 1 << 20, kind: "signed file")
        }
        return SignatureQuestion(
            signature: try bytes(content.signature), content: try bytes(content.file),
            signers: try profile.signers.map { try $0.signer(in: path) }, instant: instant)
    }

    /// A target is dialled at the server of its service, an alternate at that of its first label.
    private static func server(of target: Target, in profile: Profile, _ dial: [String: Endpoint]) -> Endpoint? {
        for environment in profile.environments {
            for service in environment.services where service.target.description == target.description {
                return dial[[environment.name, service.name].compactMap(\.self).joined(separator: "/")]
            }
        }
        return target.name.description.split(separator: ".").first.flatMap { dial[String($0)] }
    }

    private func server(_ file: String) async throws -> LabServer {
        guard file != "down" else { return try await LabServer.start(.dead, pki: LabPKI(epoch: instant)) }
        let text = try String(contentsOfFile: "\(path)/servers/\(file).pem", encoding: .utf8)
        let pki = LabPKI(epoch: instant, given: [.good: try LabIdentity(pem: text)])
        let dates: [LabHTTPRecipe.Instant] = step.skew == "none" ? [] : [.at(Int(step.skew ?? "0") ?? 0)]
        return try await LabServer.start(
            .tls(
                LabTLSRecipe(
                    .good, applicationProtocols: ["h2", "http/1.1"], service: .http(LabHTTPRecipe(dates: dates)))),
            pki: pki)
    }

    private func zone() throws -> LabDNSZone {
        guard let models = step.models, let host = profile.models.first?.hosts.first else { return LabDNSZone([:]) }
        switch models {
        case "absent": return LabDNSZone([host: .reply(LabDNSMessage(responseCode: .nameError))])
        case "broken": return LabDNSZone([host: .reply(LabDNSMessage(responseCode: .serverFailure))])
        default: return LabDNSZone([host: .answer(.txt(models))])
        }
    }
}
