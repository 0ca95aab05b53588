/// The result of reading a file of some format.
public struct Imported: Hashable, Sendable {
    /// The file's content.
    public var profile: Profile
    /// Notes on things that it lacks, or that mean something else than they seem to.
    public var notes: [FormatNote]
    /// The certificates and keys that were in it, whole.
    public var material: PinMaterial

    /// Creates a result.
    public init(profile: Profile, notes: [FormatNote] = [], material: PinMaterial = PinMaterial()) {
        self.profile = profile
        self.notes = notes
        self.material = material
    }
}
