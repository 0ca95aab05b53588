/// The HTTP response that carries a lab server's reply over HTTPS: a right one by default, and any part of it wrong on
/// request.
public struct LabHTTPResponse: Sendable {
    /// The status code.
    public var status: UInt = 200
    /// The content type; nil sends none.
    public var contentType: String? = "application/dns-message"
    /// Further fields, names and values.
    public var fields: [(name: String, value: String)] = []
    /// The body in place of the reply; nil for the reply.
    public var body: [UInt8]?
    /// True if ``body`` is sent without any HTTP around it.
    public var isBare = false

    /// Creates a correct response.
    public init() {}

    /// Returns the same response with a change.
    public func with(_ change: (inout LabHTTPResponse) -> Void) -> LabHTTPResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
