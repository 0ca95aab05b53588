/// What a file of some format comes to.
public struct Imported: Hashable, Sendable {
    /// What it says.
    public var profile: Profile
    /// What it does not say, or says otherwise than it looks.
    public var notes: [FormatNote]
    /// The certificates and keys that were in it, whole.
    public var material: PinMaterial

    /// A result of its parts.
    public init(profile: Profile, notes: [FormatNote] = [], material: PinMaterial = PinMaterial()) {
        self.profile = profile
        self.notes = notes
        self.material = material
    }
}
