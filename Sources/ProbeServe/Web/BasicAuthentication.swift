import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// Lets in whoever has a user's name and password (RFC 7617).
struct BasicAuthentication: RouterMiddleware {
    typealias Context = ServeContext

    let passwords: PasswordCheck

    func handle(
        _ request: Request, context: ServeContext,
        next: @concurrent (Request, ServeContext) async throws -> Response
    ) async throws -> Response {
        if let (user, password) = Self.credentials(request.headers[.authorization]),
            await passwords.accepts(user, password)
        {
            return try await next(request, context)
        }
        return Response(status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"probe\", charset=\"UTF-8\""])
    }

    /// Returns the name and the password of a header; nil if it has none.
    static func credentials(_ header: String?) -> (user: String, password: String)? {
        let parts = (header ?? "").split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
