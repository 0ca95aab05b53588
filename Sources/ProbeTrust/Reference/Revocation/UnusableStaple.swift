/// The reason why a stapled response can't be used for the leaf.
struct UnusableStaple: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
