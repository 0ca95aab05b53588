import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRun

/// A target as a JSON object, with options of its own.
struct ScanTargetRecord: Decodable {
    /// Name or address to ask for, with its port.
    let target: String
    /// The endpoint to dial instead.
    var connect: String?
    /// The name to ask for instead of the target's own, which is dialled.
    var name: String?
    /// The name for its results.
    var service: String?
    /// Pins instead of those of the scan.
    var pins: [String]?
    /// The files of a client identity instead of the scan's.
    var clientCert: String?
    var clientKey: String?
    var clientPassphrase: String?
    /// Seconds.
    var timeout: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case target, connect, name, service, pins, timeout, clientCert, clientKey, clientPassphrase
    }

    /// Any key of an object.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let keys = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")

    init(from decoder: any Decoder) throws {
        let given = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue).sorted()
        if let unknown = given.first(where: { CodingKeys(rawValue: $0) == nil }) {
            throw InputError("'\(unknown)' is not a key of a target", remedy: "a target has the keys \(Self.keys)")
        }
        let container = try decoder.container(keyedBy: CodingKeys.self)
        target = try container.decode(String.self, forKey: .target)
        connect = try container.decodeIfPresent(String.self, forKey: .connect)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        service = try container.decodeIfPresent(String.self, forKey: .service)
        pins = try container.decodeIfPresent([String].self, forKey: .pins)
        clientCert = try container.decodeIfPresent(String.self, forKey: .clientCert)
        clientKey = try container.decodeIfPresent(String.self, forKey: .clientKey)
        clientPassphrase = try container.decodeIfPresent(String.self, forKey: .clientPassphrase)
        timeout = try container.decodeIfPresent(Double.self, forKey: .timeout)
    }

    /// Returns the target of one line.
    ///
    /// - Throws: ``InputError`` naming its fault.
    static func target(of text: String, startTLS: StartTLS?) throws(InputError) -> ScanTarget {
        let record: ScanTargetRecord
        do {
            record = try JSONDecoder().decode(ScanTargetRecord.self, from: Data(text.utf8))
            if let key = RepeatedKey.first(in: text.utf8) {
                throw InputError("the target has '\(PrintableText.escape(key))' twice", remedy: "keep one of them")
            }
        } catch let error as InputError {
            throw error
        } catch {
            throw InputError(
                "the target is not usable JSON: \(JSONFault.reason(error, in: Array(text.utf8)))",
                remedy: "write {\"target\":\"HOST:PORT\"}")
        }
        return try record.read(startTLS)
    }

    private func identityFiles() throws(InputError) -> IdentityFiles? {
        for (key, path) in [
            ("clientCert", clientCert), ("clientKey", clientKey), ("clientPassphrase", clientPassphrase),
        ] {
            guard path != "" else { throw InputError("\(key) is empty", remedy: "name a file, or leave it out") }
            // Standard input may be the list's: a certificate read from it would take the lines that follow.
            guard path != "-" else {
                throw InputError("\(key) is -, and a target has no standard input of its own", remedy: "name a file")
            }
        }
        guard let clientCert else {
            guard clientKey == nil, clientPassphrase == nil else {
                throw InputError("clientKey is of no use without clientCert", remedy: "name the certificate's file too")
            }
            return nil
        }
        return IdentityFiles(certificate: clientCert, key: clientKey, passphrase: clientPassphrase)
    }

    private func read(_ startTLS: StartTLS?) throws(InputError) -> ScanTarget {
        let own = try Target(target, startTLS: startTLS)
        var dialled = try connect.map { text throws(InputError) in
            guard !text.hasPrefix("unix:") else {
                throw InputError("connect is a socket, and a list has servers", remedy: "write an address and a port")
            }
            do throws(InputError) {
                return try Endpoint(text, allowsZone: true)
            } catch {
                throw InputError("connect: \(error.message)", remedy: error.remedy)
            }
        }
        var identity = own.name
        if let name {
            identity = try ServerName(name)
            dialled = dialled ?? own.endpoint
        }
        if let service, service.isEmpty || service.utf8.count > 200 || service.contains(where: \.isNewline) {
            throw InputError("service is not a name to call a target by", remedy: "give 1 to 200 bytes on one line")
        }
        if let timeout, !(timeout > 0 && timeout <= 3600) {
            throw InputError(
                "timeout \(timeout) is not a time to wait", remedy: "give seconds, more than 0, at most 3600")
        }
        let pins = try pins.map { texts throws(InputError) in
            var read: [PinText] = []
            for text in texts { read += try PinText.parse(text) }
            return read
        }
        var scanned = ScanTarget(
            // An address with a zone is dialled there.
            target: Target(name: identity, port: own.port, connect: dialled ?? own.connect, startTLS: own.startTLS),
            service: service, pins: pins, identity: try identityFiles(),
            timeout: timeout.map { .nanoseconds(Int64($0 * 1e9)) })
        scanned.choosesPlace = dialled != nil
        return scanned
    }
}
