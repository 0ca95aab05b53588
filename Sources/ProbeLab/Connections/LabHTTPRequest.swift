/// A request that a web server of the lab received.
public struct LabHTTPRequest: Hashable, Sendable {
    /// The method, like `HEAD`.
    public let method: String
    /// The path and query.
    public let path: String
    /// The fields, names in lowercase, in order; `host` also has the authority of HTTP/2.
    public let fields: [Field]

    /// Creates a request.
    public init(method: String, path: String, fields: [Field]) {
        self.method = method
        self.path = path
        self.fields = fields
    }

    /// One field.
    public struct Field: Hashable, Sendable {
        /// In lowercase.
        public let name: String
        /// The value as received.
        public let value: String

        /// Creates a field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}
