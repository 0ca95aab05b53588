extension Endpoint {
    /// Reads a DNS server as a person writes it: an address, with port 53 where the text gives none.
    ///
    /// - Throws: ``InputError`` where the text is no endpoint or gives a name: who would look it up?
    public static func dnsServer(_ text: String) throws(InputError) -> Endpoint {
        let server = try Endpoint(text, defaultPort: 53)
        guard case .ip = server.host else {
            throw InputError("'\(text)' is a name, and a DNS server is an address", remedy: "give its address")
        }
        return server
    }
}
