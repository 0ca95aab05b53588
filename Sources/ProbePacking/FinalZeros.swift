/// Zeros at the end of a file that grew just before the power was lost: file systems write its new length before the bytes
/// themselves (ext4(5), delayed allocation).
extension BidirectionalCollection<UInt8> {
    /// The bytes before those zeros.
    package var withoutFinalZeros: SubSequence {
        guard let last = lastIndex(where: { $0 != 0 }) else { return self[..<startIndex] }
        return self[...last]
    }
}
