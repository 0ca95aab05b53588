/// An error that the user has to fix.
struct NewBackendError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
