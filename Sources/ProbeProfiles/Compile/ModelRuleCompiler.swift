import FoundationEssentials
import ProbeKit

/// Turns a model rule into a check.
struct ModelRuleCompiler {
    private let folder: String
    private let settings: ProfileCompiler.Settings

    init(folder: String, _ settings: ProfileCompiler.Settings) {
        self.folder = folder
        self.settings = settings
    }

    func check(_ rule: ModelRule) throws(InputError) -> ModelCheck {
        var servers: [Endpoint] = []
        var httpsServers: [DoHServer] = []
        for text in rule.servers {
            do throws(InputError) {
                if DoHServer.isURL(text) {
                    httpsServers.append(try DoHServer(text, connect: nil, anchors: try serverAnchors()))
                } else {
                    servers.append(try .dnsServer(text))
                }
            } catch {
                throw InputError("the model '\(rule.model)': \(error.message)", remedy: error.remedy, source: .file)
            }
        }
        if !settings.dnsServers.isEmpty { (servers, httpsServers) = (settings.dnsServers, []) }
        guard let lifetime = CacheLifetime(rule.cacheSeconds) else {
            throw InputError(
                "the model '\(rule.model)': a cache of \(rule.cacheSeconds) s is none",
                remedy: "give 0 to \(CacheLifetime.longest.seconds) seconds", source: .file)
        }
        return ModelCheck(
            model: rule.model, hosts: rule.hosts, servers: servers, httpsServers: httpsServers, dnssec: rule.dnssec,
            anchors: try anchors(rule), strings: rule.strings, absence: rule.absence, cacheLifetime: lifetime)
    }

    private func serverAnchors() throws(InputError) -> TrustAnchors {
        if let anchors = settings.anchors { return anchors }
        return try .system()
    }

    /// A record has blanks between its fields, a path is a path.
    private func anchors(_ rule: ModelRule) throws(InputError) -> [DNSAnchor] {
        guard rule.dnssec != .off else { return [] }
        guard !rule.dnssecAnchors.isEmpty else { return try DNSAnchor.system() }
        var anchors: [DNSAnchor] = []
        for text in rule.dnssecAnchors {
            anchors +=
                text.contains(where: \.isWhitespace)
                ? [try DNSAnchor(text)] : try DNSAnchor.file(RelativePath.resolve(text, in: folder))
        }
        return anchors
    }
}
