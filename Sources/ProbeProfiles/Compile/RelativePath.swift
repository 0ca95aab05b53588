/// Paths in a profile, which start at the profile's folder.
enum RelativePath {
    static func resolve(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") || folder.isEmpty ? path : "\(folder)/\(path)"
    }
}
