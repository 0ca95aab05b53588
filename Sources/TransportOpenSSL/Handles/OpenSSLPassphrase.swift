import ProbeKit

/// A passphrase as OpenSSL asks for it. The end of the line that it has in a file is not part of it.
final class OpenSSLPassphrase {
    private let secret: Secret?
    private(set) var wasAsked = false

    init(_ secret: Secret?) { self.secret = secret }

    var isGiven: Bool { secret != nil }

    /// Answers OpenSSL's question for the passphrase.
    func answer(_ room: UnsafeMutableRawBufferPointer) -> CInt {
        wasAsked = true
        return unsafe copy(to: room)
    }

    /// Copies the passphrase, and returns its length; -1 if there is none, or no room for it.
    private func copy(to room: UnsafeMutableRawBufferPointer) -> CInt {
        guard let secret else { return -1 }
        return secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                let text = unsafe Self.line(buffer)
                guard unsafe text.count <= room.count else { return -1 }
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: text))
                return unsafe CInt(text.count)
            }
        }
    }

    /// Lends the passphrase as a C string that is wiped afterwards; nil where there is none.
    func withText<Value>(_ body: (UnsafePointer<CChar>?) -> Value) -> Value {
        guard let secret else { return body(nil) }
        let text = unsafe Secret(capacity: secret.count + 1) { room in
            let count = Int(max(0, unsafe copy(to: UnsafeMutableRawBufferPointer(rebasing: room.dropLast()))))
            unsafe room[count] = 0
            return count + 1
        }
        return text.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe body($0.bindMemory(to: CChar.self).baseAddress) }
        }
    }

    private static func line(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var text = unsafe bytes[...]
        while let last = unsafe text.last, last == 0x0a || last == 0x0d { unsafe text = text.dropLast() }
        return unsafe text
    }
}
