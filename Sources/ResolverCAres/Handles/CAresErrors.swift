import CProbeCAres

/// A status code of c-ares, whole: its number and its own words.
struct CAresStatus: Error, RawRepresentable, Hashable, CustomStringConvertible {
    let rawValue: Int32

    static let success = CAresStatus(ARES_SUCCESS)
    static let noData = CAresStatus(ARES_ENODATA)
    static let timeout = CAresStatus(ARES_ETIMEOUT)
    static let badName = CAresStatus(ARES_EBADNAME)
    static let badQuery = CAresStatus(ARES_EBADQUERY)
    static let noMemory = CAresStatus(ARES_ENOMEM)
    /// The status of `ares_create_query` for names below `.onion` (RFC 7686).
    static let notFound = CAresStatus(ARES_ENOTFOUND)

    init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    private init(_ code: some BinaryInteger) {
        self.init(rawValue: Int32(code))
    }

    /// Turns a status that is not ARES_SUCCESS into an error.
    static func check(_ status: Int32) throws(CAresStatus) {
        guard status == ARES_SUCCESS else { throw CAresStatus(rawValue: status) }
    }

    var description: String {
        let words = unsafe ares_strerror(rawValue).map { unsafe String(cString: $0) } ?? "unknown status"
        return "\(words) (c-ares status \(rawValue))"
    }
}
