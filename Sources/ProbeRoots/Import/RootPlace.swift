import ProbeKit

/// A folder or an archive that root stores are read from.
enum RootPlace: CustomStringConvertible {
    case folder(String)
    case archive(String)

    var description: String {
        switch self {
        case .folder(let path): "the folder \(path)"
        case .archive(let path): "the archive \(path)"
        }
    }

    /// The beginning of its files' paths.
    var root: String {
        switch self {
        case .folder(let path): path + "/"
        case .archive(let path): path + ":"
        }
    }

    /// The name of the folder, or of that of the archive, if that makes its files distrusted.
    var distrust: String? {
        switch self {
        case .folder(let path): DistrustFolder.name(of: path)
        case .archive(let path): DistrustFolder.around(path)
        }
    }

    /// The most stores that a message names.
    private static let shown = 8

    /// Returns the error for more than one root store.
    ///
    /// - Parameter stores: their paths; that of a folder ends with a slash.
    func error(_ stores: [String]) -> InputError {
        let names = stores.prefix(Self.shown).map { PrintableText.escape($0) }
        return InputError(
            "\(self) has \(stores.count) root stores: \(names.joined(separator: ", "))",
            remedy: "\(Fix.Step.chooseStoreByPath)\(alternative(stores))", source: .file)
    }

    private func alternative(_ stores: [String]) -> String {
        guard case .folder = self else { return ", or unpack it and name the files that belong together" }
        // A folder with another one in it would be refused again.
        let areApart = stores.allSatisfy { one in
            one.hasSuffix("/") && one != "./" && !stores.contains { $0 != one && $0.hasPrefix(one) }
        }
        guard areApart, stores.count <= Self.shown else { return ", or name the files that belong together" }
        let folders = stores.map { PrintableText.escape("\(root)\($0.dropLast())") }
        return "; if they are one store, give its folders: \(folders.joined(separator: " "))"
    }
}
