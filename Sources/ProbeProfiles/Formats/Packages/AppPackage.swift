import ProbeKit

/// The file of an app that defines its pins: an APK's network security configuration, or an IPA's Info.plist.
struct AppPackage {
    /// The maximum size of an app, in bytes.
    static let maximumBytes = 512 << 20
    /// The maximum size of a file in it, in bytes.
    private static let maximumFile = 4 << 20
    /// The table of an app's resources has all its texts.
    private static let maximumTable = 64 << 20

    let bytes: [UInt8]
    /// The file's name in errors: the app's path and the path within.
    let path: String
    let notes: [FormatNote]

    /// - Throws: ``InputError`` if the app has no such file.
    init(_ input: FormatInput) throws(InputError) {
        let archive = try ZipArchive(input)
        if archive.has("AndroidManifest.xml") {
            self = try Self.apk(archive, input)
        } else if archive.has("BundleConfig.pb") {
            throw input.refuse(
                "is an app bundle, from which stores make apps",
                remedy: "make an APK of it with 'bundletool build-apks --mode universal'")
        } else {
            self = try Self.ipa(archive, input)
        }
    }

    private init(bytes: [UInt8], path: String, notes: [FormatNote]) {
        self.bytes = bytes
        self.path = path
        self.notes = notes
    }

    private static func apk(_ archive: ZipArchive, _ input: FormatInput) throws(InputError) -> AppPackage {
        func inner(_ name: String, _ bytes: [UInt8]) -> FormatInput {
            FormatInput(bytes, FormatContext(path: "\(input.context.path)/\(name)"))
        }
        let name = "AndroidManifest.xml"
        let manifest = try BinaryXML.read(inner(name, try archive.file(name, limit: maximumFile)))
        let application = manifest.children(named: "application").first
        guard let value = application?.attributes[BinaryXML.networkSecurityConfig] else {
            throw input.refuse(
                "names no networkSecurityConfig in its manifest: the platform pins nothing for it",
                remedy: "if the app pins with OkHttp, give that source file")
        }
        guard value.hasPrefix("@"), let id = Int(value.dropFirst(), radix: 16) else {
            throw input.refuse(
                "has the networkSecurityConfig '\(value)', which is not a resource", remedy: "build the app again")
        }
        let table = ResourceTable(inner("resources.arsc", try archive.file("resources.arsc", limit: maximumTable)))
        let files = try table.files(of: id)
        guard let file = files.first else {
            throw input.refuse("names a networkSecurityConfig that it does not have", remedy: "build the app again")
        }
        var notes: [FormatNote] = []
        if files.count > 1 {
            notes.append(
                .warning(
                    "variants",
                    "devices differ in which file counts: \(file) is read, and not \(files.dropFirst().joined(separator: ", "))",
                    fix: "take the others out of the app, and give each as a file of its own"))
        }
        return AppPackage(
            bytes: try archive.file(file, limit: maximumFile), path: "\(input.context.path)/\(file)", notes: notes)
    }

    private static func ipa(_ archive: ZipArchive, _ input: FormatInput) throws(InputError) -> AppPackage {
        let lists = archive.names.filter { name in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 3 && parts[0] == "Payload" && parts[1].hasSuffix(".app") && parts[2] == "Info.plist"
        }
        guard lists.count == 1, let list = lists.first else {
            throw input.refuse(
                "is not an app: it has \(lists.isEmpty ? "no" : "several") AndroidManifest.xml or Payload/NAME.app/Info.plist",
                remedy: "give an APK, an IPA, or the file with the pins")
        }
        let extensions = archive.names.filter { $0.hasPrefix("Payload/") && $0.hasSuffix(".appex/Info.plist") }
        let notes: [FormatNote] =
            extensions.isEmpty
            ? []
            : [
                .note(
                    "extensions",
                    "extensions have pins of their own, which are not read: \(extensions.joined(separator: ", "))",
                    fix: "take them out of the app, and give each as a file of its own")
            ]
        return AppPackage(
            bytes: try archive.file(list, limit: maximumFile), path: "\(input.context.path)/\(list)", notes: notes)
    }
}
