/// The times for which the server waits for its clients, and for its probes when it ends.
struct ServePatience: Sendable {
    /// From the beginning of a connection to its first request.
    var request: Duration = .seconds(30)
    /// Between two requests of a connection.
    var idle: Duration = .seconds(300)
    /// For a client that does not read.
    var reading: Duration = .seconds(300)
    /// For the probes that run when the server is asked to end.
    var probes: Duration = .seconds(120)
    /// For clients to read their answers once the last of these probes has ended.
    var farewell: Duration = .seconds(5)
}
