import CProbeGnuTLS
import ProbeKit
import Synchronization

/// Answers GnuTLS' questions for a token's PIN, with one that the token has not refused.
final class GnuTLSPIN: Sendable {
    private let secret: Secret?
    /// The tokens that asked for it, by their URI.
    private let asking = Mutex<Set<String>>([])

    /// The PINs that were refused in this process, by the token's URI: the next target of a list would try one again, and
    /// lock the token.
    private static let refused = Mutex<[(token: String, pin: Secret)]>([])

    /// - Parameter secret: the PIN; nil if none was given. The end of the line that it has in a file is not part of it.
    init(_ secret: Secret?) { self.secret = secret }

    /// Returns the reason why a token was not opened, and remembers the PIN as refused.
    func refusal() -> ClientIdentity.Problem {
        guard let secret else { return .needsPassphrase }
        for token in asking.withLock(\.self) { Self.refused.withLock { $0.append((token, secret)) } }
        return .wrongPassphrase
    }

    /// The function that GnuTLS calls with this object as data, which has to outlive what asks.
    static var callback: gnutls_pin_callback_t {
        { data, attempt, token, _, flags, room, size in
            guard let data = unsafe data, let room = unsafe room else { return -1 }
            let pin = unsafe Unmanaged<GnuTLSPIN>.fromOpaque(data).takeUnretainedValue()
            let name = unsafe token.map { unsafe String(cString: $0) } ?? ""
            let isRepeated = attempt > 0 || flags & UInt32(GNUTLS_PIN_WRONG.rawValue) != 0
            return unsafe pin.answer(
                name, isRepeated: isRepeated, UnsafeMutableRawBufferPointer(start: room, count: size))
        }
    }

    private func answer(_ token: String, isRepeated: Bool, _ room: UnsafeMutableRawBufferPointer) -> CInt {
        guard let secret else { return -1 }
        if isRepeated { Self.refused.withLock { $0.append((token, secret)) } }
        let isKnown = Self.refused.withLock { known in
            known.contains { $0.token == token && Self.areEqual($0.pin, secret) }
        }
        guard !isKnown else { return -1 }
        asking.withLock { _ = $0.insert(token) }
        return secret.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { buffer in
                let text = unsafe Self.line(buffer)
                // It goes over as a C string.
                guard unsafe text.count < room.count, unsafe !text.contains(0) else { return -1 }
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: text))
                unsafe room[text.count] = 0
                return 0
            }
        }
    }

    private static func areEqual(_ left: Secret, _ right: Secret) -> Bool {
        left.withBytes { left in
            right.withBytes { right in
                unsafe left.withUnsafeBytes { left in
                    unsafe right.withUnsafeBytes { right in unsafe line(left).elementsEqual(line(right)) }
                }
            }
        }
    }

    private static func line(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
        var text = unsafe bytes[...]
        while let last = unsafe text.last, last == 0x0a || last == 0x0d { unsafe text = text.dropLast() }
        return unsafe text
    }
}
