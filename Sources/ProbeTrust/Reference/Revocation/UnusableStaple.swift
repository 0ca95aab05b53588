/// Why a stapled response says nothing about the leaf.
struct UnusableStaple: Error, CustomStringConvertible {
    let message: String

    var description: String { message }
}
