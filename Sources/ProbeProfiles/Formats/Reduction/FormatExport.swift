import ProbeKit

/// A caller's settings for an export.
struct FormatExport {
    /// The format, as users name it.
    var format: ProfileFormat
    /// The host whose pins are written; nil writes all, or the only one of a format that names none.
    var host: ServerName?
    /// The replacement for positions that the format does not have.
    var position: PinPosition?
    /// Certificates and keys that are known whole.
    var material = PinMaterial()
}
