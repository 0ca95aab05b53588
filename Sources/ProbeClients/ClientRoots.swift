import ProbeKit
import ProbePlatform
import ProbeRoots
import ProbeTrust

/// The roots of clients, each store and each file read once.
public actor ClientRoots {
    private var stores: [String: TrustAnchors] = [:]

    /// Creates roots of which none has been read yet.
    public init() {}

    /// Returns a client's roots at an instant, which matters where it has Mozilla's of the day.
    func anchors(of client: Client, at instant: Date) throws(InputError) -> TrustAnchors {
        if let file = client.rootsFile {
            if let known = client.rootsInFile ?? stores[file] { return known }
            let store: TrustAnchors
            do throws(InputError) {
                store = try Self.anchors(in: file)
            } catch {
                throw InputError("the roots of \(client.name): \(error.message)", remedy: error.remedy, source: .file)
            }
            stores[file] = store
            return store
        }
        let name = client.roots ?? "mozilla@\(RFC3339.format(instant).prefix(10))"
        if let known = stores[name] { return known }
        let store: TrustAnchors
        do throws(InputError) {
            store = try RootDatabase.standard().snapshot(try RootStoreName(name)).anchors
        } catch {
            throw InputError("the roots of \(client.name): \(error.message)", remedy: error.remedy)
        }
        stores[name] = store
        return store
    }

    /// Returns the roots in a file, like a store that a client ships.
    fileprivate static func anchors(in file: String) throws(InputError) -> TrustAnchors {
        TrustAnchors(name: file, certificates: try CertificateFile.read(file), isSystem: true)
    }
}

extension Client {
    /// Returns the client with what its file of roots has now; one that can't be read fails when the client is asked.
    package func readingRoots() -> Client {
        var client = self
        client.rootsInFile = rootsFile.flatMap { try? ClientRoots.anchors(in: $0) }
        return client
    }
}
