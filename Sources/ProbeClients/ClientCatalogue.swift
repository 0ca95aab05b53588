import CProbeClients
public import ProbeKit
import ProbePlatform

/// The clients that are known by name: those that are shipped with the program, and those of files.
public struct ClientCatalogue: Sendable {
    /// The clients, by family and in the order of their files.
    public private(set) var clients: [Client]
    /// The names of the clients of each file that was added, by its path.
    var namesByFile: [String: [String]] = [:]

    /// The clients that are shipped with the program.
    ///
    /// - Throws: ``InputError`` for a file that can't be read, which the tests exclude.
    public static func shipped() throws(InputError) -> ClientCatalogue {
        var clients: [Client] = []
        for (family, text) in files {
            let file = ClientFile(file: "Clients/\(family).yaml", family: family, folder: nil)
            clients += try file.read(text, known: Dictionary(uniqueKeysWithValues: clients.map { ($0.name, $0) }))
        }
        return ClientCatalogue(clients: clients)
    }

    /// The files that are part of the program, in the order in which their clients extend each other.
    static var files: [(family: String, text: String)] {
        var count = 0
        guard let start = unsafe cprobe_client_files(&count) else { return [] }
        let files = unsafe UnsafeBufferPointer(start: start, count: count)
        return unsafe files.map { file in
            let bytes = unsafe UnsafeBufferPointer(start: file.text, count: file.count)
            return unsafe (String(cString: file.family), String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The families, each a group of clients.
    public var families: [String] { clients.map(\.family).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    /// Adds the clients of a file, which is read once however often it is named.
    ///
    /// - Returns: the file's clients.
    /// - Throws: ``InputError`` if it can't be read, or a name is taken.
    public mutating func add(file path: String) throws(InputError) -> [Client] {
        let place = Self.place(path)
        if let names = namesByFile[place] { return clients.filter { names.contains($0.name) } }
        let text = try InputFile.text(of: path, limit: ClientFile.maximumBytes, kind: "file of clients")
        let name = (path.split(separator: "/").last.map(String.init) ?? path).split(separator: ".").first
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        let file = ClientFile(file: path, family: name.map(String.init) ?? path, folder: folder)
        let own = try file.read(text, known: Dictionary(uniqueKeysWithValues: clients.map { ($0.name, $0) }))
        clients += own
        namesByFile[place] = own.map(\.name)
        return own
    }

    /// Returns a path without what leads nowhere else: `.` and empty parts.
    private static func place(_ path: String) -> String {
        (path.hasPrefix("/") ? "/" : "") + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    /// Returns the clients of names, families, files and `all`, each once.
    ///
    /// - Parameter words: separated by commas, as the command line has them.
    /// - Throws: ``InputError`` for a word that means none, naming those it may have been meant for.
    public mutating func named(_ words: [String]) throws(InputError) -> [Client] {
        var found: [Client] = []
        // An empty word is one that somebody meant to fill in: nothing would be judged.
        for word in words.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }).map(String.init) {
            guard !word.isEmpty else {
                throw InputError(
                    "'' among the clients names none", remedy: "check the variable that it comes from, or leave it out")
            }
            let meant: [Client]
            if word == "all" {
                meant = clients
            } else if Self.isFile(word) {
                meant = try add(file: word)
            } else {
                let own = clients.filter { $0.name == word }
                meant = own.isEmpty ? clients.filter { $0.family == word } + lettered(word) : own
            }
            guard !meant.isEmpty else { throw unknown(word) }
            for client in meant where !found.contains(where: { $0.name == client.name }) { found.append(client) }
        }
        return found
    }

    /// Returns the only client whose name is the word and a letter, as releases of OpenSSL end with.
    private func lettered(_ word: String) -> [Client] {
        let found = clients.filter {
            $0.name.count == word.count + 1 && $0.name.hasPrefix(word) && $0.name.last?.isLetter == true
                && word.last?.isNumber == true
        }
        return found.count == 1 ? found : []
    }

    private static func isFile(_ word: String) -> Bool {
        word == "-" || word.contains("/") || word.hasSuffix(".yaml") || word.hasSuffix(".yml")
    }

    private func unknown(_ word: String) -> InputError {
        let names = clients.map(\.name)
        let begun = names.filter { $0.hasPrefix(word) }.prefix(5)
        let hint =
            begun.isEmpty
            ? NearestWord.hint(for: word, among: names + families) : NearestWord.question(about: begun) + " "
        return InputError(
            "'\(word)' is neither a client nor a family of clients",
            remedy:
                "\(hint)choose names of probe clients, families (\(families.joined(separator: ", "))), all, or a file")
    }
}
