import ProbeKit

/// What a caller says about an export.
struct FormatExport {
    /// The format, as people name it.
    var format: ProfileFormat
    /// The host whose pins are written; nil writes all, or the only one of a format that names none.
    var host: ServerName?
    /// What pins become that hold at a position which the format does not have.
    var position: PinPosition?
    /// Certificates and keys that are known whole.
    var material = PinMaterial()
}
